/** Does something again and again: at once while there is progress, else after a pause; until it is told to stop. */
export type Ticking = { start(): void; stop(): Promise<void> };

export function keepTicking(options: {
  readonly pauseMs: number;
  /** 'progress': there is more to do at once. */
  tick(): Promise<string>;
  onError(error: unknown): void;
}): Ticking {
  let isStopping = false;
  let loop: Promise<void> | undefined;
  let wakeUp: () => void = () => undefined;

  async function run(): Promise<void> {
    while (!isStopping) {
      const result = await options.tick().catch((error: unknown) => {
        options.onError(error);
        return 'failed';
      });
      if (result === 'progress') continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, options.pauseMs);
        wakeUp = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  return {
    start() {
      loop ??= run();
    },
    async stop() {
      isStopping = true;
      wakeUp();
      await loop;
    },
  };
}
