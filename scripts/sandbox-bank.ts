/** The owner's side of the sandbox's bank: what no customer of a real bank can make it do. */
import { CommandError } from './command-line.ts';
import type { Installation } from './installation.ts';
import { openSandboxChain } from './sandbox-chain.ts';

export type SandboxBank = {
  /** One of the bank's own commands (`sandbox/src/bank/README.md`). */
  command<Answer>(name: string, fields: Readonly<Record<string, unknown>>): Promise<Answer>;
  /** What is new is told now and not in some seconds. */
  tell(): Promise<void>;
};

/** `network`: one of those that the bank is. */
export async function openSandboxBank(installation: Installation, network: string): Promise<SandboxBank> {
  const chain = await openSandboxChain(installation, network);
  const url = new URL((await installation.sandboxChains()).get(chain.network) ?? '');
  const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  const headers = { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
  return {
    async command<Answer>(name: string, fields: Readonly<Record<string, unknown>>): Promise<Answer> {
      const response = await fetch(new URL(`/${name}`, url.origin), {
        method: 'POST',
        headers,
        body: JSON.stringify(fields),
        signal: AbortSignal.timeout(30_000),
      }).catch(() => {
        throw new CommandError("The sandbox's bank does not answer: start it with npm start.");
      });
      const answer = (await response.json()) as Answer & { error?: string };
      if (!response.ok) throw new CommandError(`The bank refuses: ${answer.error ?? `HTTP ${response.status}.`}`);
      return answer;
    },
    async tell() {
      await chain.mine(1);
    },
  };
}
