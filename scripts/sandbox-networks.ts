/**
 * A sandbox network for every network that the environment does not name. The service is told of each by settings, as
 * of a real one, and the command line by its URL.
 */
import { type SandboxFolder, sandboxList } from './sandbox-list.ts';

export type SandboxNetworks = {
  /** What the service is told about them. */
  readonly settings: Readonly<Record<string, string>>;
  /** Where the command line reaches them, by name. */
  readonly urls: Readonly<Record<string, string>>;
  stop(): Promise<void>;
};

/** `given`: names of settings that the environment has, so that their networks are not started. */
export async function startSandboxNetworks(
  folder: SandboxFolder,
  given: ReadonlySet<string>,
): Promise<SandboxNetworks> {
  const running = await Promise.all(
    sandboxList
      .filter(({ namedBy }) => !given.has(namedBy))
      .map(async ({ name, start }) => ({ name, ...(await start(folder)) })),
  );
  return {
    settings: Object.assign({}, ...running.map(({ settings }) => settings)),
    urls: Object.fromEntries(running.map(({ name, url }) => [name, url])),
    async stop() {
      await Promise.all(running.map((network) => network.stop()));
    },
  };
}
