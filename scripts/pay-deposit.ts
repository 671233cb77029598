/** Plays somebody who pays to a custom deposit's address in the sandbox, and waits until it is credited. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '@quittance/server/db/database';
import { type DepositPayment, receivedUnits } from '@quittance/server/deposits/custom-deposit';
import { confirmationsOfPayment, findDeposit } from '@quittance/server/deposits/custom-deposit-store';
import { isConfirmed } from '@quittance/server/deposits/payment-state';
import { present } from '@quittance/server/lib/assert';
import { CommandError } from './command-line.ts';
import type { Installation } from './installation.ts';
import { namesLater } from './pay-checkout.ts';
import { openSandboxChain } from './sandbox-chain.ts';
import { amountText, assetCode } from './text-table.ts';

const patienceMs = 60_000;
const pollMs = 100;

export type PaidDeposit = {
  readonly depositId: string;
  readonly state: string;
  readonly exceptions: readonly string[];
  readonly network: string;
  readonly address: string;
  readonly amount: string;
  readonly assetCode: string;
  readonly txid: string;
};

export async function payDeposit(
  { db, installation }: { readonly db: Db; readonly installation: Installation },
  key: { readonly merchantId: string; readonly id: string },
  wish: { readonly amount?: string | undefined; readonly isConfirmed: boolean },
): Promise<PaidDeposit> {
  const read = async () => present(await findDeposit(db, key.merchantId, key.id), `deposit ${key.id}`);
  const before = await read();
  const { network, asset, address, memo, expectedUnits, isReusable } = before.deposit;
  const missing = (expectedUnits ?? 0n) - (isReusable ? 0n : receivedUnits(before));
  if (wish.amount === undefined && expectedUnits === null)
    throw new CommandError(`Deposit ${key.id} asks for no particular amount: say --amount.`);
  if (wish.amount === undefined && missing <= 0n)
    throw new CommandError('Nothing is due any more: say --amount to pay all the same.');
  const amount = wish.amount ?? amountText(missing, asset);
  const chain = await openSandboxChain(installation, network);
  const known = new Set(before.payments.map(({ txHash }) => txHash));
  const txid = await chain.pay({ address, amount, asset: assetCode(asset), memo });

  async function payment(isThere: (payment: DepositPayment) => boolean): Promise<DepositPayment> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const found = (await read()).payments.find(
        ({ txHash }) => txHash === txid || (namesLater(network) && !known.has(txHash)),
      );
      if (found && isThere(found)) return found;
      if (performance.now() > deadline)
        throw new CommandError(
          `The service has not noticed payment ${txid} within ${patienceMs / 1000} seconds: it is ${found?.state ?? 'not seen'}.`,
        );
      await sleep(pollMs);
    }
  }
  const seen = await payment(() => true);
  if (wish.isConfirmed && !isConfirmed(seen)) await chain.mine(await confirmationsOfPayment(db, key, txid));
  if (wish.isConfirmed) await payment((each) => each.place !== 'none');
  const { state, exceptions } = (await read()).deposit;
  return { depositId: key.id, state, exceptions, network, address, amount, assetCode: assetCode(asset), txid };
}
