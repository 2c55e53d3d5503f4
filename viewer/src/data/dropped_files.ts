import type { RunSource } from './run';

interface Found {
  folder: string;
  file: File;
}

async function filesBelow(entry: FileSystemEntry, folder: string, found: Found[]): Promise<void> {
  if (entry.isFile) {
    if (!/\.(rbt|csv)$/.test(entry.name)) return; // a run folder may hold thousands of other frames
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    found.push({ folder, file });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (entries.length === 0) return; // folders come in pieces
    for (const inner of entries) await filesBelow(inner, `${folder}/${entry.name}`, found);
  }
}

function runsIn(found: Found[]): RunSource[] {
  return found
    .filter(({ file }) => file.name.endsWith('.rbt'))
    .map(({ folder, file }) => ({
      name: folder.split('/').pop() ?? '', // empty: the run is called after its integrator
      frames: file,
      stats: found.find((other) => other.folder === folder && other.file.name === 'stats.csv')?.file,
    }))
    .sort((a, b) => a.name.localeCompare(b.name));
}

/** The runs among files and folders that were dropped on the page. */
export async function droppedRuns(transfer: DataTransfer): Promise<RunSource[]> {
  // The list of items is empty after the first pause, so all entries are taken before.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry?.() ?? null);
  const files = [...transfer.files];
  const found: Found[] = [];
  for (let i = 0; i < entries.length; ++i) {
    const entry = entries[i];
    if (entry) await filesBelow(entry, '', found);
  }
  if (found.length === 0) found.push(...files.map((file) => ({ folder: '', file })));
  return runsIn(found);
}

/** The runs among files that were chosen in a dialog. */
export function chosenRuns(files: Iterable<File>): RunSource[] {
  return runsIn([...files].map((file) => ({ folder: file.webkitRelativePath.split('/').slice(0, -1).join('/'), file })));
}
