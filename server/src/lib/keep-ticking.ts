/**
 * Does something again and again, in the one of many processes that leads: at once while there is progress, otherwise
 * after a pause, until it is told to stop. When it fails, it gives the leadership to others.
 */
export type Ticking<Result> = {
  /** One round, for callers that do not wait. */
  tick(): Promise<Result>;
  start(): void;
  /** When it returns, it no longer leads. */
  stop(): Promise<void>;
};

export function keepTicking<Result extends string>(options: {
  readonly pauseMs: number;
  readonly leadership: { resign(): void; end(): Promise<void> };
  /** 'progress': there is more to do at once. */
  tick(): Promise<Result>;
  onError(error: unknown): void;
}): Ticking<Result> {
  const { pauseMs, leadership, tick } = options;
  let isStopping = false;
  let loop: Promise<void> | undefined;
  let wakeUp: () => void = () => undefined;

  async function run(): Promise<void> {
    while (!isStopping) {
      const result = await tick().catch((error: unknown) => {
        options.onError(error);
        leadership.resign();
        return 'failed';
      });
      if (result === 'progress') continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, pauseMs);
        wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  return {
    tick,
    start() {
      loop ??= run();
    },
    async stop() {
      isStopping = true;
      wakeUp();
      await loop;
      await leadership.end();
    },
  };
}
