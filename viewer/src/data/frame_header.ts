/** What is known of each point of a frame. */
export interface Field {
  name: string;
  unit: string;
  components: number;
  /** First of its numbers within a frame; velocity of point i begins at start + 3 i. */
  start: number;
}

/** A body or an obstacle as it is shown: ranges of points and triangles. */
export interface Body {
  name: string;
  obstacle: boolean;
  firstPoint: number;
  points: number;
  firstTriangle: number;
  triangles: number;
}

/** The HEAD chunk of a file of frames (docs/frames_file.md). */
export interface FrameHeader {
  program: string;
  scene: string;
  integrator: string;
  step: number; // length of a step that was asked for [s]
  up: [number, number, number];
  ground: number | null; // height along up [m]
  points: number;
  triangles: number;
  bodies: Body[];
  fields: Field[];
  values: number; // numbers in a frame
}

type Json = Record<string, unknown>;

function count(json: Json, key: string): number {
  const value = json[key];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0)
    throw new Error(`its header has no sensible "${key}"`);
  return value;
}

function text(json: Json, key: string): string {
  return typeof json[key] === 'string' ? (json[key] as string) : '';
}

function fieldsOf(entries: unknown, points: number): { fields: Field[]; values: number } {
  if (!Array.isArray(entries) || entries.length === 0) throw new Error('its header names no fields');
  let values = 0;
  const fields = entries.map((entry: Json) => {
    const field = { name: text(entry, 'name'), unit: text(entry, 'unit'), components: count(entry, 'components'), start: values };
    values += field.components * points;
    return field;
  });
  if (fields[0].name !== 'position' || fields[0].components !== 3) throw new Error('its first field is not the position');
  return { fields, values };
}

/** Throws an Error whose message goes on "FILE cannot be shown: …". */
export function headerOf(json: string): FrameHeader {
  let head: Json;
  try {
    head = JSON.parse(json) as Json;
  } catch {
    throw new Error('its header is not JSON');
  }
  if (head.format !== 'rubato-frames') throw new Error('its header does not say "rubato-frames"');
  const points = count(head, 'points');
  const triangles = count(head, 'triangles');
  const up = head.up as number[];
  if (!Array.isArray(up) || up.length !== 3 || !up.every(Number.isFinite)) throw new Error('its header has no sensible "up"');
  const bodies = (Array.isArray(head.bodies) ? (head.bodies as Json[]) : []).map((body) => ({
    name: text(body, 'name'),
    obstacle: body.obstacle === true,
    firstPoint: count(body, 'first_point'),
    points: count(body, 'points'),
    firstTriangle: count(body, 'first_triangle'),
    triangles: count(body, 'triangles'),
  }));
  for (const body of bodies)
    if (body.firstPoint + body.points > points || body.firstTriangle + body.triangles > triangles)
      throw new Error(`the body "${body.name}" reaches beyond the points or triangles`);
  return {
    program: text(head, 'program'),
    scene: text(head, 'scene'),
    integrator: text(head, 'integrator'),
    step: typeof head.step === 'number' ? head.step : 0,
    up: [up[0], up[1], up[2]],
    ground: typeof head.ground === 'number' ? head.ground : null,
    points,
    triangles,
    bodies,
    ...fieldsOf(head.fields, points),
  };
}
