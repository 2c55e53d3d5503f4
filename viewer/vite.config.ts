import { defineConfig, type Plugin } from 'vite';

// Reports paste viewer.js between <script> tags; this text would end the script early.
const pastesInline: Plugin = {
  name: 'pastes-inline',
  generateBundle(_options, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== 'chunk') continue;
      file.code = file.code.replace(/<\/(?=script)/gi, '<\\/').replace(/<!--/g, '<\\!--');
    }
  },
};

export default defineConfig({
  plugins: [pastesInline],
  build: {
    lib: { entry: 'src/main.ts', formats: ['iife'], name: 'RubatoViewer', fileName: () => 'viewer.js' },
    target: 'es2021',
    chunkSizeWarningLimit: 1500,
  },
});
