import type { RunSource } from './data/run';
import type { ViewerOptions } from './panel/viewer';
import { renderPictures, type RenderOrder } from './render_pictures';

interface RunsFile {
  version: number;
  runs: RunSource[];
  render: RenderOrder | null;
}

/** What the server lists; nothing where there is none any more: then the page says what can be done. */
async function listedRuns(): Promise<RunsFile> {
  // Opened as a file there is no server to ask; runs can still be dropped on the page.
  if (location.protocol.startsWith('http')) {
    try {
      const answer = await fetch('/runs.json', { cache: 'no-store' });
      if (answer.ok) return (await answer.json()) as RunsFile;
    } catch {
      // as if it listed nothing
    }
  }
  return { version: 1, runs: [], render: null };
}

/** What the page of the server does: asks which runs there are, and shows them or draws pictures of them. */
export async function openPage(element: HTMLElement, mount: (element: HTMLElement, options: ViewerOptions) => unknown): Promise<void> {
  const runs = await listedRuns();
  if (runs.render) await renderPictures(element, runs.runs, runs.render);
  else mount(element, { runs: runs.runs, wholePage: true, again: async () => (await listedRuns()).runs });
  const scenes = [...new Set(runs.runs.map(({ scene }) => scene).filter(Boolean))];
  if (scenes.length) document.title = `${scenes.join(', ')} · Rubato`;
}
