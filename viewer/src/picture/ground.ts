import { Color, Mesh, PlaneGeometry, ShaderChunk, ShadowMaterial, Vector2, Vector3 } from 'three';
import { depthShiftPars, depthShiftMain } from './surface_material';

/**
 * The ground: nothing but the shadows on it and a grid that fades with distance, over whatever the page has behind the
 * picture. Key light and sky are told apart, since each darkens the ground by its own share.
 */
export class Ground {
  readonly mesh: Mesh<PlaneGeometry, ShadowMaterial>;
  spacing = 1; // of the grid [m]

  private readonly uniforms = {
    shadowWeight: { value: new Vector2(0.5, 0) }, // darkness where key light and sky do not reach
    gridSpacing: { value: 1 },
    gridCentre: { value: new Vector3() },
    gridReach: { value: 10 },
    gridColour: { value: new Color(0x000000) },
    gridStrength: { value: 0.1 },
    shadowBlur: { value: new Vector2(1, 1) }, // of key light and sky: by how much more than elsewhere
    shadowTurn: { value: 0 }, // of the pattern of shadow samples, in turns
    depthShift: { value: 0 }, // see surface_material.ts
  };

  constructor() {
    const material = new ShadowMaterial({ transparent: true, premultipliedAlpha: true, toneMapped: false, depthWrite: false });
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = shader.vertexShader
        .replace('void main() {', `${depthShiftPars}\nvarying vec3 vPlace;\nvoid main() {`)
        .replace('#include <fog_vertex>', `vPlace = worldPosition.xyz;\n${depthShiftMain}`);
      shader.fragmentShader = shader.fragmentShader
        .replace(
          '#include <shadowmap_pars_fragment>',
          // The pattern turns from one rendering to the next, so that the mean of them is smooth.
          'uniform float shadowTurn;\n' +
            ShaderChunk.shadowmap_pars_fragment.replace(
              'interleavedGradientNoise( gl_FragCoord.xy ) * PI2',
              '( interleavedGradientNoise( gl_FragCoord.xy ) + shadowTurn ) * PI2',
            ),
        )
        .replace('#include <shadowmask_pars_fragment>', groundPars)
        .replace('gl_FragColor = vec4( color, opacity * ( 1.0 - getShadowMask() ) );', groundMain)
        .replace('#include <premultiplied_alpha_fragment>', '');
    };
    this.mesh = new Mesh(new PlaneGeometry(1, 1), material);
    this.mesh.rotation.x = -Math.PI / 2;
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 1;
  }

  /** Puts the ground at a height [m] around a place, with a grid that suits what stands on it. */
  place(height: number, centre: Vector3, extent: number): void {
    const reach = Math.max(extent, 1e-6) * 2.6;
    this.spacing = niceLength(extent / 8);
    this.mesh.position.set(centre.x, height, centre.z);
    this.mesh.scale.setScalar(2 * reach);
    this.uniforms.gridSpacing.value = this.spacing;
    this.uniforms.gridReach.value = reach;
    this.uniforms.gridCentre.value.set(centre.x, height, centre.z);
  }

  paint(dark: boolean): void {
    this.uniforms.gridColour.value.set(dark ? 0xb8c4d8 : 0x2a3242);
    this.uniforms.gridStrength.value = dark ? 0.12 : 0.1;
    this.mesh.material.color.set(dark ? 0x000000 : 0x0c1220);
  }

  /** How dark full shadow of the key light, and of the sky, is; how blurred; and in which turn of the pattern. */
  shade([key, sky]: [number, number], blur: [number, number], turn: number): void {
    this.uniforms.shadowWeight.value.set(key, sky);
    this.uniforms.shadowBlur.value.set(...blur);
    this.uniforms.shadowTurn.value = turn;
  }

  /** Keeps the ground behind surfaces that are drawn further back than they are. */
  setDepthShift(shift: number): void {
    this.uniforms.depthShift.value = shift;
  }
}

/** 1, 2 or 5 times a power of ten, near a length. */
export function niceLength(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  const lead = length / power;
  return power * (lead < 1.5 ? 1 : lead < 3.5 ? 2 : lead < 7.5 ? 5 : 10);
}

const groundPars = `
uniform vec2 shadowWeight;
uniform vec2 shadowBlur;
uniform float gridSpacing, gridReach, gridStrength;
uniform vec3 gridCentre, gridColour;
varying vec3 vPlace;

float darkness() {
  float dark = 0.0;
  #ifdef USE_SHADOWMAP
  #if NUM_DIR_LIGHT_SHADOWS > 0
  DirectionalLightShadow light;
  #pragma unroll_loop_start
  for ( int i = 0; i < NUM_DIR_LIGHT_SHADOWS; i ++ ) {
    light = directionalLightShadows[ i ];
    dark += shadowWeight[ UNROLLED_LOOP_INDEX ] * (1.0 - getShadow( directionalShadowMap[ i ], light.shadowMapSize, light.shadowIntensity, light.shadowBias, light.shadowRadius * shadowBlur[ UNROLLED_LOOP_INDEX ], vDirectionalShadowCoord[ i ] ));
  }
  #pragma unroll_loop_end
  #endif
  #endif
  return min(dark, 1.0);
}

// A line one pixel wide; where lines come closer than a few pixels they fade instead of flickering.
float line(float place) {
  float width = max(fwidth(place), 1e-6);
  float distance = abs(fract(place - 0.5) - 0.5);
  return (1.0 - smoothstep(0.4 * width, 1.4 * width, distance)) * (1.0 - smoothstep(0.12, 0.4, width));
}
`;

const groundMain = `
  vec2 cell = vPlace.xz / gridSpacing;
  float lines = max(line(cell.x), line(cell.y));
  float bold = max(line(cell.x / 5.0), line(cell.y / 5.0));
  float away = length(vPlace.xz - gridCentre.xz) / gridReach;
  float fade = 1.0 - smoothstep(0.12, 0.95, away);
  float grid = gridStrength * fade * max(0.55 * lines, bold);
  float dark = darkness() * (1.0 - smoothstep(0.5, 1.0, away));
  gl_FragColor = vec4(color * dark + gridColour * grid * (1.0 - dark), 1.0 - (1.0 - dark) * (1.0 - grid));
`;
