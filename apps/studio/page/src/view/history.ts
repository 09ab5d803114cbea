// The history of views, like a browser's: back and forward; a new view after going back forgets what was in front.

export class History<T> {
  private entries: T[] = [];
  private at = -1;

  constructor(private readonly same: (a: T, b: T) => boolean, private readonly most = 200) {}

  get current(): T | undefined { return this.entries[this.at]; }
  get canGoBack(): boolean { return this.at > 0; }
  get canGoForward(): boolean { return this.at + 1 < this.entries.length; }

  push(view: T): void {
    const now = this.current;
    if (now !== undefined && this.same(now, view)) return;
    this.entries.length = this.at + 1;
    this.entries.push(view);
    if (this.entries.length > this.most) this.entries.shift();
    this.at = this.entries.length - 1;
  }

  back(): T | undefined {
    if (!this.canGoBack) return undefined;
    return this.entries[--this.at];
  }

  forward(): T | undefined {
    if (!this.canGoForward) return undefined;
    return this.entries[++this.at];
  }
}
