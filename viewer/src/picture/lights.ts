import { DirectionalLight, Group, HemisphereLight, Vector3 } from 'three';
import type { Box } from '../data/overview';

const keyIntensity = 2.7;
const skyIntensity = 2.0;
const fillIntensity = 0.55; // from where the key light does not reach, without shadows
const keyPlace = new Vector3(-0.42, 1, 0.85).normalize(); // towards the light, seen by a camera in front
const keyRadius = 0.13; // of the disc the key light is spread over, as a fraction of its distance
const keyDarkness = 0.34; // of the ground, where the key light does not reach
const skyDarkness = 0.42;
export const fewSamples = 24; // renderings: fewer cannot blur the shadows of the sky

/** Place n of a sequence that fills the unit square evenly (Roberts 2018: "R2"). */
export function evenly(n: number): [number, number] {
  return [(0.5 + n * 0.7548776662466927) % 1, (0.5 + n * 0.5698402909980532) % 1];
}

/**
 * A key light, a weak one from the other side, and the sky. While things move, the sky is a plain gradient and the key light has a filtered shadow. A still
 * picture is the mean of many renderings, in each of which the key light is a point of a disc, and the sky one direction of
 * the hemisphere with a shadow of its own: the mean has soft shadows, and corners are darker, as under a real sky.
 */
export class Lights {
  readonly group = new Group();
  private readonly key = new DirectionalLight(0xfff4e6, keyIntensity);
  private readonly sky = new DirectionalLight(0xe8f0ff, 0);
  private readonly fill = new DirectionalLight(0xfff8f0, fillIntensity);
  private readonly hemisphere = new HemisphereLight(0xe8f0ff, 0xd6d0c8, skyIntensity);
  private readonly bounce = new HemisphereLight(0x000000, 0xd6d0c8, skyIntensity);
  private keyDirection = keyPlace;
  private box: Box | null = null;
  private ground = 0; // height [m]

  /** Sizes of the shadow maps [texels]: of the key light while things move, and at rest; of the sky. */
  constructor(
    private readonly keyMoving: number,
    private readonly keyStill: number,
    skyMap: number,
  ) {
    for (const [light, size] of [[this.key, keyMoving], [this.sky, skyMap]] as const) { // prettier-ignore
      light.castShadow = true;
      light.shadow.mapSize.set(size, size);
      this.group.add(light, light.target);
    }
    this.turn(0);
    this.group.add(this.hemisphere, this.bounce, this.fill);
  }

  /** The lights go along with a camera that is turned about the vertical [degrees]. */
  turn(degrees: number): void {
    const [up, angle] = [new Vector3(0, 1, 0), (degrees * Math.PI) / 180];
    this.keyDirection = keyPlace.clone().applyAxisAngle(up, angle);
    this.fill.position.set(0.85, 0.3, 0.55).applyAxisAngle(up, angle);
  }

  /** What casts shadows lies in `box`; the ground is at `ground` [m]. */
  fit(box: Box, ground: number): void {
    this.box = box;
    this.ground = ground;
  }

  /** For things that move; returns the darkness of the ground in the shadow of key light and sky. */
  moving(): [number, number] {
    this.sky.visible = false;
    this.hemisphere.visible = true;
    this.bounce.visible = false;
    this.key.shadow.mapSize.setScalar(this.keyMoving);
    this.key.shadow.radius = 3.5 * (this.keyMoving / 2048);
    this.aim(this.key, this.keyDirection);
    return [keyDarkness + 0.04, 0];
  }

  /** For rendering n of a mean. A mean of `few` cannot blur the shadows of the sky, which then has none. */
  sample(n: number, few: boolean): [number, number] {
    this.hemisphere.visible = few;
    this.sky.visible = this.bounce.visible = !few;
    this.key.shadow.mapSize.setScalar(this.keyStill);
    this.key.shadow.radius = this.sky.shadow.radius = few ? 3 : 1;

    const [u, v] = evenly(n);
    const across = new Vector3(0, 1, 0).cross(this.keyDirection).normalize();
    const along = this.keyDirection.clone().cross(across);
    const r = keyRadius * Math.sqrt(u);
    const direction = this.keyDirection
      .clone()
      .addScaledVector(across, r * Math.cos(2 * Math.PI * v))
      .addScaledVector(along, r * Math.sin(2 * Math.PI * v));
    this.aim(this.key, direction.normalize());
    if (few) return [keyDarkness + 0.04, 0];

    // Directions as likely as the light that they bring to the ground, so that each rendering darkens it equally. A light of
    // intensity I / height then gives faces turned up I on average and upright ones about I / 2, as does the gradient
    // (1 + cos) / 2 that stands for the sky in motion.
    const [s, t] = evenly(n + 977);
    const height = Math.sqrt(0.03 + 0.97 * s);
    const flat = Math.sqrt(1 - height * height);
    this.sky.intensity = skyIntensity / height;
    this.aim(this.sky, new Vector3(flat * Math.cos(2 * Math.PI * t), height, flat * Math.sin(2 * Math.PI * t)));
    return [keyDarkness, skyDarkness];
  }

  private aim(light: DirectionalLight, towards: Vector3): void {
    const { box } = this;
    if (!box || box.empty) return;
    const centre = new Vector3(box.centre(0), box.centre(1), box.centre(2));
    const side = Math.abs(towards.y) > 0.99 ? new Vector3(1, 0, 0) : new Vector3(0, 1, 0).cross(towards).normalize();
    const up = towards.clone().cross(side);
    const reach = [0, 0, 0];
    for (let corner = 0; corner < 8; ++corner) {
      const p = new Vector3(
        (corner & 1 ? box.high : box.low)[0],
        (corner & 2 ? box.high : box.low)[1],
        (corner & 4 ? box.high : box.low)[2],
      ).sub(centre);
      [side, up, towards].forEach((axis, k) => (reach[k] = Math.max(reach[k], Math.abs(p.dot(axis)))));
    }
    const margin = 0.04 * box.diagonal; // frames between those that were looked at may reach a little further
    const { camera } = light.shadow;
    camera.right = reach[0] + margin;
    camera.top = reach[1] + margin;
    camera.left = -camera.right;
    camera.bottom = -camera.top;
    const below = (box.high[1] - this.ground) / Math.max(towards.y, 0.08); // down to where the highest point's shadow falls
    camera.near = 0;
    camera.far = 2 * reach[2] + 2 * margin + below;
    camera.up.copy(up);
    light.position.copy(centre).addScaledVector(towards, reach[2] + margin);
    light.target.position.copy(centre);
    light.updateMatrixWorld();
    light.target.updateMatrixWorld();
    camera.updateProjectionMatrix();
    const texel = (2 * Math.max(camera.right, camera.top)) / light.shadow.mapSize.x; // [m]
    light.shadow.normalBias = 1.6 * texel;
    light.shadow.bias = -Math.min(0.004, (1.2 * texel) / camera.far);
  }
}
