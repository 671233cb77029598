/**
 * A sandbox network for every network that the environment does not name, and a mailbox unless it names a mail server.
 * The service is told of each by settings, as of a real one, and the command line by its URL.
 */
import { isNamed, type SandboxFolder, sandboxList } from './sandbox-list.ts';
import { startSandboxMailbox } from './sandbox-mailbox.ts';

export type SandboxNetworks = {
  /** What the service is told about them. */
  readonly settings: Readonly<Record<string, string>>;
  /** Where the command line reaches them, by name. */
  readonly urls: Readonly<Record<string, string>>;
  /** The page that shows every e-mail, for a person; null: there is a real mail server. */
  readonly mailbox: string | null;
  stop(): Promise<void>;
};

/** `given`: names of settings that the environment has, so that their networks are not started. */
export async function startSandboxNetworks(
  folder: SandboxFolder,
  given: ReadonlySet<string>,
): Promise<SandboxNetworks> {
  const networks = sandboxList
    .filter((part) => !isNamed(part, (name) => given.has(name)))
    .map(async ({ names, start }) => ({ names, ...(await start(folder)) }));
  const [mailbox, ...running] = await Promise.all([startSandboxMailbox(folder, given), ...networks]);
  return {
    settings: Object.assign({}, mailbox?.settings, ...running.map(({ settings }) => settings)),
    urls: Object.fromEntries(running.flatMap(({ names, url }) => names.map((name) => [name, url]))),
    mailbox: mailbox?.url ?? null,
    async stop() {
      await Promise.all([mailbox?.stop(), ...running.map((network) => network.stop())]);
    },
  };
}
