/**
 * Does something again and again, as the one of many processes that leads: at once while there is progress, else after
 * a pause; until it is told to stop. Whoever fails leaves the leadership to others.
 */
export type Ticking<Result> = {
  /** Once, for those who do not wait. */
  tick(): Promise<Result>;
  start(): void;
  /** Leads no more when it returns. */
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
