export function checksum(bytes: Uint8Array): number;
export function chunk(kind: string, payload: Uint8Array): Uint8Array;
