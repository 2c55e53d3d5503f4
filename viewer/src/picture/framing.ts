import { type PerspectiveCamera, Spherical, Vector3 } from 'three';

export type CameraPreset = 'three-quarter' | 'front' | 'side' | 'top';
export const cameraPresets: CameraPreset[] = ['three-quarter', 'front', 'side', 'top'];

export interface View {
  position: Vector3;
  target: Vector3;
}

/** Parts of half the picture that what is framed may fill: room is left for names below it. */
export interface Margins {
  side: number;
  above: number;
  below: number;
}

export const roomForNames: Margins = { side: 0.94, above: 0.92, below: 0.76 };

const degree = Math.PI / 180;
export const besideTurn = 14 * degree; // of the three-quarter view of runs beside each other

/** Towards the camera. `turn`: how far the three-quarter view is turned about the vertical [rad]. */
function direction(preset: CameraPreset, turn: number): Vector3 {
  const [yaw, height] = {
    'three-quarter': [turn, 15 * degree],
    front: [0, 4 * degree],
    side: [90 * degree, 4 * degree],
    top: [0, 89.5 * degree],
  }[preset];
  return new Vector3(Math.cos(height) * Math.sin(yaw), Math.sin(height), Math.cos(height) * Math.cos(yaw));
}

export function presetDirection(preset: CameraPreset, runs: number, depthwise: boolean): Vector3 {
  // Runs beside each other are compared best from nearly in front; one alone has more shape from further round.
  return direction(preset, runs > 1 ? (depthwise ? 40 * degree : besideTurn) : 32 * degree);
}

/**
 * The nearest place along a direction from which all points are inside the picture. With coordinates x, y across the
 * picture and z towards the camera, point i is inside if |x_i - c| <= (d - z_i) T, T being the tangent of half the angle
 * of view; the least d for which a centre c exists follows from the largest x_i + z_i T and the least x_i - z_i T.
 */
export function framed(camera: PerspectiveCamera, points: Vector3[], towards: Vector3, margins: Margins): View {
  const z = towards.clone().normalize();
  const x = new Vector3(0, 1, 0).cross(z).normalize();
  const y = z.clone().cross(x);
  const tan = Math.tan((camera.fov * degree) / 2);
  const axes = [
    { axis: x, high: tan * camera.aspect * margins.side, low: tan * camera.aspect * margins.side },
    { axis: y, high: tan * margins.above, low: tan * margins.below },
  ];
  const ends = axes.map(({ axis, high, low }) => ({
    most: Math.max(...points.map((p) => p.dot(axis) + p.dot(z) * high)),
    least: Math.min(...points.map((p) => p.dot(axis) - p.dot(z) * low)),
  }));
  let d = -Infinity;
  axes.forEach(({ high, low }, k) => (d = Math.max(d, (ends[k].most - ends[k].least) / (high + low))));
  const depths = points.map((p) => p.dot(z));
  const [nearest, furthest] = [Math.max(...depths), Math.min(...depths)];
  d = Math.max(d, nearest + 1e-3 * (nearest - furthest) + 1e-9);
  const centre = axes.map(({ high, low }, k) => (ends[k].most - d * high + ends[k].least + d * low) / 2);
  const position = new Vector3().addScaledVector(x, centre[0]).addScaledVector(y, centre[1]).addScaledVector(z, d);
  return { position, target: position.clone().addScaledVector(z, (nearest + furthest) / 2 - d) };
}

/** Part way from one view to another, turning about the target rather than cutting through it. */
export function between(from: View, to: View, share: number): View {
  const s = share * share * (3 - 2 * share);
  const target = from.target.clone().lerp(to.target, s);
  const a = new Spherical().setFromVector3(from.position.clone().sub(from.target));
  const b = new Spherical().setFromVector3(to.position.clone().sub(to.target));
  let turn = b.theta - a.theta;
  turn -= 2 * Math.PI * Math.round(turn / (2 * Math.PI));
  const at = new Spherical(a.radius * (b.radius / a.radius) ** s, a.phi + s * (b.phi - a.phi), a.theta + s * turn).makeSafe();
  return { position: target.clone().add(new Vector3().setFromSpherical(at)), target };
}
