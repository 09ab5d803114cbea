/** Offers what the server made as a file. */
export function download({ name, type, base64 }: { name: string; type: string; base64: string }): void {
  offer(name, new Blob([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], { type }));
}

export function offer(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
