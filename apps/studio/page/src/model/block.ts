// The tree of blocks: one for each submodel that has been seen. A block knows its place in the frame of the block around it and,
// once the picture of its class has come, how its own frame lies in that place. Children are made when they are first asked for, so
// the tree is as large as what was looked at, not as large as the model.

import type { Rect } from "../view/geometry.ts";
import type { ClassPicture, Use } from "./picture.ts";

/** Asks for the picture of a class; undefined while it is on its way. */
export interface Pictures {
  get(key: string): ClassPicture | undefined;
}

/** The part of a block between its two rectangles, where its interfaces stand, as a share of its width and of its height. */
const margin = 0.08;

export class Block implements Rect {
  readonly path: readonly string[];
  private shown: ClassPicture | undefined;
  private made: readonly Block[] = [];
  private byName = new Map<string, Block>();
  /** Where the frame lies in the frame around: parent = (x, y) + k * own. */
  private frameX = 0;
  private frameY = 0;
  private frameK = 1;

  constructor(readonly parent: Block | undefined, readonly use: Use, private readonly pictures: Pictures) {
    this.path = parent === undefined ? [] : [...parent.path, use.name];
  }

  get name(): string { return this.use.name; }
  get x(): number { return this.use.x; }
  get y(): number { return this.use.y; }
  get w(): number { return this.use.w; }
  get h(): number { return this.use.h; }

  get picture(): ClassPicture | undefined {
    const picture = this.use.key === "" ? undefined : this.pictures.get(this.use.key);
    if (picture !== this.shown) this.show(picture);
    return picture;
  }

  /** The submodels; none while the picture has not come. */
  get children(): readonly Block[] {
    void this.picture;
    return this.made;
  }

  child(name: string): Block | undefined {
    void this.picture;
    return this.byName.get(name);
  }

  get inside(): { readonly x: number; readonly y: number; readonly k: number } {
    void this.picture;
    return { x: this.frameX, y: this.frameY, k: this.frameK };
  }

  /** The inner rectangle, in the frame around. */
  get inner(): Rect {
    const picture = this.picture;
    const { x, y, k } = this.inside;
    return picture === undefined
      ? { x: this.x, y: this.y, w: this.w, h: this.h }
      : { x, y, w: k * picture.width, h: k * picture.height };
  }

  /** Follows a path of names as far as its blocks are known. */
  find(path: readonly string[]): Block | undefined {
    let block: Block | undefined = this;
    for (const name of path) block = block?.child(name);
    return block;
  }

  private show(picture: ClassPicture | undefined): void {
    this.shown = picture;
    if (picture === undefined) return;
    const before = this.byName;
    this.byName = new Map();
    this.made = picture.uses.map((use) => {
      const old = before.get(use.name);
      const block = old !== undefined && old.use === use ? old : new Block(this, use, this.pictures);
      this.byName.set(use.name, block);
      return block;
    });
    // The sheet below everything has no border, a block has one on each side; the model itself needs little where nothing is joined to it.
    const border = this.parent === undefined ? 0 : this.parent.parent === undefined && picture.ports.length === 0 ? 0.75 * margin : margin;
    const w = this.w * (1 - 2 * border), h = this.h * (1 - 2 * border);
    this.frameK = Math.min(w / picture.width, h / picture.height);
    this.frameX = this.x + (this.w - this.frameK * picture.width) / 2;
    this.frameY = this.y + (this.h - this.frameK * picture.height) / 2;
  }
}
