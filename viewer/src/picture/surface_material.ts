import { DataTexture, DoubleSide, LinearFilter, MeshStandardMaterial, SRGBColorSpace } from 'three';
import { mapPixels } from '../data/colour_map';

// Of surfaces at several moments in one picture, later ones have to cover earlier ones: depth is that of a place further from
// the camera by the share depthShift, while the surface appears, and casts its shadow, where it is.
export const depthShiftPars = 'uniform float depthShift;';
export const depthShiftMain = `
  if (depthShift > 0.0) {
    vec4 back = projectionMatrix * vec4(mvPosition.xyz * (1.0 + depthShift), 1.0);
    gl_Position.z = min(back.z / back.w, 0.9999) * gl_Position.w; // not beyond what is drawn
  }`;

/** How values become places on the colour map. Shared by all surfaces, so that one colour means one value. */
export interface ValueScale {
  shown: { value: number }; // 1: values, 0: colours of the bodies
  range: { value: [number, number] }; // ends of the scale, logarithms of them if `log`
  log: { value: number };
  map: { value: DataTexture };
}

export function valueScale(): ValueScale {
  const width = 256;
  const map = new DataTexture(mapPixels(width), width, 1);
  map.colorSpace = SRGBColorSpace;
  map.minFilter = map.magFilter = LinearFilter;
  map.needsUpdate = true;
  return { shown: { value: 0 }, range: { value: [0, 1] }, log: { value: 0 }, map: { value: map } };
}

/**
 * Satin surfaces in the colours of bodies, or of a value. The value is looked up for every pixel, not for every vertex: a
 * mixture of two colours of the map need not be on the map.
 */
export function surfaceMaterial(scale: ValueScale, depthShift: { value: number }): MeshStandardMaterial {
  const material = new MeshStandardMaterial({
    vertexColors: true,
    side: DoubleSide,
    roughness: 0.62,
    metalness: 0,
    polygonOffset: true, // edges drawn on the surface must not sink into it
    polygonOffsetFactor: 1,
    polygonOffsetUnits: 1,
  });
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, {
      valuesShown: scale.shown,
      valueRange: scale.range,
      valueLog: scale.log,
      valueMap: scale.map,
      depthShift,
    });
    shader.vertexShader = shader.vertexShader
      .replace('#include <color_pars_vertex>', `#include <color_pars_vertex>\nattribute float value;\nvarying float vValue;\n${depthShiftPars}`)
      .replace('#include <fog_vertex>', depthShiftMain)
      .replace('#include <color_vertex>', '#include <color_vertex>\nvValue = value;');
    shader.fragmentShader = shader.fragmentShader
      .replace(
        '#include <color_pars_fragment>',
        `#include <color_pars_fragment>
        varying float vValue;
        uniform float valuesShown, valueLog;
        uniform vec2 valueRange;
        uniform sampler2D valueMap;`,
      )
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>
        if (valuesShown > 0.5 && vValue >= 0.0) {
          float place = valueLog > 0.5 ? log(max(vValue, 1e-30)) : vValue;
          float share = clamp((place - valueRange.x) / max(valueRange.y - valueRange.x, 1e-30), 0.0, 1.0);
          vec3 mapped = texture2D(valueMap, vec2((share * 255.0 + 0.5) / 256.0, 0.5)).rgb;
          // Shows the shape, but stays near the colour of the scale also where little light falls.
          diffuseColor.rgb = 0.72 * mapped;
          totalEmissiveRadiance += 0.3 * mapped;
        }`,
      );
  };
  return material;
}

