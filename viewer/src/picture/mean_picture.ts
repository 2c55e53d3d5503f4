import {
  FloatType, HalfFloatType, Mesh, NearestFilter, NoBlending, OrthographicCamera, PlaneGeometry, ShaderMaterial, type WebGLRenderer, WebGLRenderTarget,
} from 'three'; // prettier-ignore

const vertexShader = 'varying vec2 vUv; void main() { vUv = uv; gl_Position = vec4(position.xy, 0.0, 1.0); }';

/**
 * The mean of many renderings. Renderings come as linear light with opacity multiplied in, and are averaged in single
 * precision; tone mapping and the encoding for the screen follow once, at the end.
 */
export class MeanPicture {
  count = 0;
  readonly sample: WebGLRenderTarget; // into which the next rendering goes
  private sums: [WebGLRenderTarget, WebGLRenderTarget];
  private readonly camera = new OrthographicCamera();
  private readonly quad: Mesh<PlaneGeometry, ShaderMaterial>;
  private readonly mixing = new ShaderMaterial({
    vertexShader,
    fragmentShader: `varying vec2 vUv; uniform sampler2D mean, next; uniform float share;
      void main() { gl_FragColor = mix(texture2D(mean, vUv), texture2D(next, vUv), share); }`,
    uniforms: { mean: { value: null }, next: { value: null }, share: { value: 1 } },
    blending: NoBlending,
    depthTest: false,
    depthWrite: false,
  });
  private readonly developing = new ShaderMaterial({
    vertexShader,
    fragmentShader: `varying vec2 vUv; uniform sampler2D mean;
      void main() {
        vec4 light = texture2D(mean, vUv);
        gl_FragColor = light.a > 0.0 ? vec4(light.rgb / light.a, light.a) : vec4(0.0);
        #include <tonemapping_fragment>
        #include <colorspace_fragment>
        gl_FragColor.rgb *= gl_FragColor.a;
      }`,
    uniforms: { mean: { value: null } },
    blending: NoBlending,
    depthTest: false,
    depthWrite: false,
    premultipliedAlpha: true,
  });

  constructor(private readonly renderer: WebGLRenderer) {
    const options = { minFilter: NearestFilter, magFilter: NearestFilter, depthBuffer: false, type: FloatType };
    this.sample = new WebGLRenderTarget(1, 1, { ...options, depthBuffer: true, type: HalfFloatType });
    this.sums = [new WebGLRenderTarget(1, 1, options), new WebGLRenderTarget(1, 1, options)];
    this.quad = new Mesh(new PlaneGeometry(2, 2), this.mixing);
    this.quad.frustumCulled = false;
  }

  restart(width: number, height: number): void {
    this.count = 0;
    for (const target of [this.sample, ...this.sums])
      if (target.width !== width || target.height !== height) target.setSize(width, height);
  }

  /** Takes what was rendered into `sample` into the mean. */
  add(): void {
    const [mean, next] = this.sums;
    this.mixing.uniforms.mean.value = mean.texture;
    this.mixing.uniforms.next.value = this.sample.texture;
    this.mixing.uniforms.share.value = 1 / (this.count + 1);
    this.draw(this.mixing, next);
    this.sums = [next, mean];
    ++this.count;
  }

  /** Draws the mean onto the canvas. */
  develop(): void {
    this.developing.uniforms.mean.value = this.sums[0].texture;
    this.draw(this.developing, null);
  }

  dispose(): void {
    for (const target of [this.sample, ...this.sums]) target.dispose();
    this.mixing.dispose();
    this.developing.dispose();
    this.quad.geometry.dispose();
  }

  private draw(material: ShaderMaterial, target: WebGLRenderTarget | null): void {
    this.quad.material = material;
    this.renderer.setRenderTarget(target);
    this.renderer.render(this.quad, this.camera);
    this.renderer.setRenderTarget(null);
  }
}
