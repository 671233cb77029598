/**
 * The sandbox's bank: the operator has an account in euros and one in dollars here, others pay to them, and payment files
 * are paid from them. Its owner can do what banks and payers do, and what goes wrong with them. It writes and reads every
 * message by itself, so that it proves the service's own readers and writers.
 */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BankDeeds, createBankDeeds } from './bank-deeds.ts';
import { type BankLedger, openBankLedger } from './bank-ledger.ts';
import { type BankAccount, dollarAccount, euroAccount } from './bank-parties.ts';
import { serveBank } from './bank-server.ts';
import type { BankFile } from './write-statement.ts';

export type SandboxBankOptions = {
  readonly user: string;
  readonly password: string;
  /** Where its books are kept between starts. Left out: they are gone with the process. */
  readonly folder?: string;
  /** Statements are laid down here too, as a program would that fetches them from a bank. */
  readonly dropFolder?: string;
  readonly port?: number;
  readonly now?: () => Date;
};

export type SandboxBank = BankDeeds & {
  /** With user and password, for the owner's commands. */
  readonly url: string;
  readonly port: number;
  readonly euro: BankAccount;
  readonly dollar: BankAccount;
  readonly ledger: BankLedger;
  goAway(): void;
  comeBack(): void;
  stop(): Promise<void>;
};

export async function startSandboxBank(options: SandboxBankOptions): Promise<SandboxBank> {
  const { folder, dropFolder, now = () => new Date() } = options;
  const ledger = openBankLedger([euroAccount, dollarAccount], folder);
  if (dropFolder !== undefined) mkdirSync(dropFolder, { recursive: true });
  const deeds = createBankDeeds(ledger, now, (file) => {
    if (dropFolder !== undefined) layDown(dropFolder, file);
  });
  const server = await serveBank({ ...options, deeds });
  return {
    ...deeds,
    url: server.url,
    port: server.port,
    euro: euroAccount,
    dollar: dollarAccount,
    ledger,
    goAway: server.goAway,
    comeBack: server.comeBack,
    async stop() {
      await server.close();
      ledger.close();
    },
  };
}

/** Whoever watches the folder sees a whole file or none: until then its name begins with a dot. */
function layDown(folder: string, { name, bytes }: BankFile): void {
  const unfinished = join(folder, `.${name}.part`);
  writeFileSync(unfinished, bytes);
  renameSync(unfinished, join(folder, name));
}
