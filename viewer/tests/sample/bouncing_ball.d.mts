export interface Sphere {
  points: Float32Array;
  triangles: Uint32Array;
}
export interface WrittenRun {
  header: Record<string, unknown>;
  places: { frame: number; node: number; time: number }[];
  bytes: number;
}
export function sphere(pieces: number, radius: number): Sphere;
export function statsText(options: Record<string, unknown>): string;
export function writeRun(folder: string, options: Record<string, unknown>): WrittenRun;
