// The connection to the server: calls with answers, events, and curves as binary messages (docs/studio-protocol.md).

export interface ServerError {
  readonly code: string;
  readonly message: string;
  readonly help?: string;
  readonly [more: string]: unknown;
}

export class CallFailed extends Error {
  constructor(readonly reason: ServerError) {
    super(reason.message);
  }
}

export interface CurveData {
  readonly path: string;
  readonly unit: string;
  readonly held: boolean;
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly error: string | undefined;
}

export interface CurvesMessage {
  readonly name: string | undefined;
  readonly run: number;
  readonly t0: number;
  readonly t1: number;
  readonly end: number;
  readonly curves: readonly CurveData[];
}

export interface ServerEvents {
  event(name: string, data: Record<string, unknown>): void;
  curves(message: CurvesMessage): void;
  lost(refused: boolean): void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: Error) => void;
}

const wrongToken = 4401;

export class Server {
  private readonly waiting = new Map<number, Waiting>();
  private last = 0;

  private constructor(private readonly socket: WebSocket, private readonly events: ServerEvents) {
    socket.binaryType = "arraybuffer";
    socket.onmessage = (message: MessageEvent<string | ArrayBuffer>) => this.receive(message.data);
    socket.onclose = (close) => {
      for (const { reject } of this.waiting.values()) reject(new CallFailed({ code: "lost", message: "the connection to the studio is lost" }));
      this.waiting.clear();
      events.lost(close.code === wrongToken);
    };
  }

  static connect(events: ServerEvents): Promise<Server> {
    return new Promise((resolve, reject) => {
      const socket = new WebSocket(`ws://${location.host}/session`);
      socket.onopen = () => resolve(new Server(socket, events));
      socket.onerror = () => reject(new CallFailed({ code: "lost", message: "the studio does not answer" }));
    });
  }

  call<Result = Record<string, unknown>>(call: string, given: Record<string, unknown> = {}): Promise<Result> {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      if (this.socket.readyState !== WebSocket.OPEN) {
        reject(new CallFailed({ code: "lost", message: "the connection to the studio is lost" }));
        return;
      }
      this.waiting.set(id, { resolve: resolve as (value: unknown) => void, reject });
      this.socket.send(JSON.stringify({ id, call, ...given }));
    });
  }

  private receive(data: string | ArrayBuffer): void {
    if (typeof data !== "string") {
      const { id, message } = decodeCurves(data);
      if (id === undefined) this.events.curves(message);
      else this.settle(id, message, undefined);
      return;
    }
    const message = JSON.parse(data) as { id?: number; result?: unknown; error?: ServerError; event?: string } & Record<string, unknown>;
    if (message.id !== undefined) this.settle(message.id, message.result, message.error);
    else if (message.event !== undefined) this.events.event(message.event, message);
  }

  private settle(id: number, result: unknown, error: ServerError | undefined): void {
    const waiting = this.waiting.get(id);
    this.waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new CallFailed(error));
  }
}

interface CurvesHeader {
  id?: number;
  name?: string;
  run: number;
  t0: number;
  t1: number;
  end: number;
  curves: { path: string; unit?: string; kind?: string; points?: number; error?: string }[];
}

/** Bytes 0–3 the length of a JSON header, the header, then for each curve its times and its values as float64. */
export function decodeCurves(data: ArrayBuffer): { id: number | undefined; message: CurvesMessage } {
  const length = new DataView(data).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length))) as CurvesHeader;
  let at = 4 + length;
  const column = (points: number): Float64Array => {
    const values = new Float64Array(data, at, points);
    at += 8 * points;
    return values;
  };
  const curves = header.curves.map((curve): CurveData => {
    const points = curve.points ?? 0;
    return {
      path: curve.path, unit: curve.unit ?? "", held: curve.kind === "held", times: column(points), values: column(points), error: curve.error,
    };
  });
  return { id: header.id, message: { name: header.name, run: header.run, t0: header.t0, t1: header.t1, end: header.end, curves } };
}
