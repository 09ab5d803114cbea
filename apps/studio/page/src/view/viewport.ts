// The window on the picture: a canvas, a camera and what moves it. It draws when something changed and only then; every movement is
// either direct (a drag, a pinch) or eased towards where the hand points (the wheel) or a flight.

import { bounded, type Camera, panned, rerooted, zoomed } from "./camera.ts";
import type { DisplayList } from "./display-list.ts";
import { type Flight, fly } from "./flight.ts";
import type { Point, Size } from "./geometry.ts";
import { type Palette, paint } from "./paint.ts";
import type { Scene } from "./scene.ts";
import { canvasMeasure, type Measure } from "./text.ts";
import { walk } from "./walk.ts";

/** How long drawing one frame took, in milliseconds, and how much it drew. */
export interface FrameCost {
  readonly script: number;
  readonly primitives: number;
}

export interface ViewportEvents {
  /** Everything of the scene but camera, window and measure. */
  scene(): Omit<Scene, "camera" | "window" | "measure" | "deadline">;
  palette(): Palette;
  /** After each frame. */
  drawn(list: DisplayList, moving: boolean): void;
}

/** The wheel's movement is caught up with in about this time. */
const easing = 70;
const restAfter = 140;
const mostFrames = 600;
/** Milliseconds that writing the display list may take while the picture moves: what is not reached by then is drawn at rest. */
const budget = 8;

export class Viewport {
  readonly measure: Measure;
  readonly frames: FrameCost[] = [];
  size: Size = { width: 1, height: 1 };
  list: DisplayList | undefined;
  private readonly context: CanvasRenderingContext2D;
  private current: Camera;
  private flight: { readonly flight: Flight; readonly begin: number; readonly ended: () => void } | undefined;
  private wheel: { rest: number; at: Point } | undefined;
  private requested = false;
  private lastFrame = 0;
  private lastMove = 0;
  private resting: ReturnType<typeof setTimeout> | undefined;
  private ratio = 1;
  private atRest = false;

  constructor(private readonly canvas: HTMLCanvasElement, camera: Camera, private readonly events: ViewportEvents) {
    const context = canvas.getContext("2d", { alpha: false });
    if (context === null) throw new Error("this browser has no canvas");
    this.context = context;
    this.measure = canvasMeasure(document.createElement("canvas").getContext("2d")!);
    this.current = camera;
  }

  get camera(): Camera { return this.current; }
  get moving(): boolean { return this.flight !== undefined || this.wheel !== undefined || performance.now() - this.lastMove < restAfter; }

  /** Is what is on the screen the picture at rest? */
  get settled(): boolean { return this.atRest && !this.requested && !this.moving; }

  resize(size: Size): void {
    const before = this.size;
    this.size = size;
    // What was in the middle stays there, as large as the smaller side allows.
    if (before.width > 1) this.current = { ...this.current, scale: this.current.scale * Math.min(size.width / before.width, size.height / before.height) };
    this.ratio = 0;
    this.draw();
  }

  /** Stops whatever moves and shows this at once. */
  show(camera: Camera): void {
    this.stop();
    this.move(camera);
  }

  flyTo(camera: Camera, reducedMotion: boolean): Promise<void> {
    this.stop();
    if (reducedMotion) {
      this.move(camera);
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.flight = { flight: fly(this.current, camera, this.size), begin: performance.now(), ended: resolve };
      this.draw();
    });
  }

  /** Where the camera is going, if it is on its way. */
  pan(dx: number, dy: number): void {
    this.stop();
    this.move(panned(this.current, dx, dy));
  }

  zoom(factor: number, at: Point): void {
    this.stop();
    this.move(zoomed(this.current, this.size, factor, at));
  }

  /** Zooms by and by: what a step of a wheel asks for is done within some frames. */
  zoomGently(factor: number, at: Point, reducedMotion: boolean): void {
    if (reducedMotion) {
      this.zoom(factor, at);
      return;
    }
    if (this.flight !== undefined) this.stop();
    this.wheel = { rest: (this.wheel?.rest ?? 0) + Math.log(factor), at };
    this.draw();
  }

  /** Asks for a frame. */
  draw(): void {
    if (this.requested) return;
    this.requested = true;
    requestAnimationFrame((now) => this.frame(now));
  }

  private move(camera: Camera): void {
    this.current = rerooted(bounded(camera, this.size), this.size);
    this.lastMove = performance.now();
    this.draw();
  }

  private stop(): void {
    const ended = this.flight?.ended;
    this.flight = undefined;
    this.wheel = undefined;
    ended?.();
  }

  private frame(now: number): void {
    this.requested = false;
    const begin = performance.now();
    this.advance(now);
    const moving = this.moving;  // once for the frame, which takes time itself
    this.sharpen(moving);
    this.current = rerooted(this.current, this.size);
    const { width, height } = this.size;
    const list = walk({ ...this.events.scene(), camera: this.current, window: this.size, measure: this.measure, deadline: moving ? begin + budget : Infinity });
    paint(this.context, list, this.events.palette(), width, height, this.ratio);
    if (this.list === undefined) performance.mark("first picture");
    this.list = list;
    this.frames.push({ script: performance.now() - begin, primitives: list.primitives });
    if (this.frames.length > mostFrames) this.frames.splice(0, this.frames.length - mostFrames);
    this.lastFrame = now;
    if (this.flight !== undefined || this.wheel !== undefined) this.draw();
    this.atRest = !moving;
    this.events.drawn(list, moving);
    if (moving) this.drawAtRest();
  }

  private advance(now: number): void {
    if (this.flight !== undefined) {
      const { flight, begin } = this.flight;
      const t = Math.min(1, Math.max(0, now - begin) / flight.duration);
      this.current = rerooted(t >= 1 ? bounded(flight.at(1), this.size) : flight.at(t), this.size);
      this.lastMove = now;
      if (t >= 1) this.stop();
    } else if (this.wheel !== undefined) {
      const passed = Math.min(50, Math.max(1, now - this.lastFrame));
      const done = this.wheel.rest * (1 - Math.exp(-passed / easing));
      const step = Math.abs(this.wheel.rest) < 0.004 ? this.wheel.rest : done;
      this.current = rerooted(bounded(zoomed(this.current, this.size, Math.exp(step), this.wheel.at), this.size), this.size);
      this.wheel.rest -= step;
      this.lastMove = now;
      if (this.wheel.rest === 0) this.wheel = undefined;
    }
  }

  /** While the picture moves on a screen of many pixels every second one is enough; at rest all are drawn. */
  private sharpen(moving: boolean): void {
    const ratio = moving ? Math.min(devicePixelRatio, 1) : devicePixelRatio;
    if (ratio === this.ratio) return;
    this.ratio = ratio;
    this.canvas.width = Math.round(this.size.width * ratio);
    this.canvas.height = Math.round(this.size.height * ratio);
  }

  private drawAtRest(): void {
    clearTimeout(this.resting);
    this.resting = setTimeout(() => this.draw(), restAfter + 20);
  }
}
