import { loadNetworkStatus, type NetworkStatus } from '@quittance/server/deposits/network-health';
import { rewindNetwork } from '@quittance/server/watching/rewind-network';
import { type Command, CommandError, command, readCount } from '../command-line.ts';
import { amountText, type Cell, factList, textTable } from '../text-table.ts';

export const networkCommands: readonly Command[] = [
  command({
    name: 'network',
    summary: 'How the watched networks are: all of them, or one with what its node says about itself.',
    arguments: ['network?'],
    examples: ['network', 'network LIGHTNING'],
    async run({ withDatabase }, { network }) {
      const all = await withDatabase((db) => loadNetworkStatus(db));
      if (network === undefined) {
        const rows = all.map((each) => [each.network, stateOf(each), each.blocksBehind, each.observedAt]);
        return { data: all, text: textTable(['NETWORK', 'STATE', 'BEHIND', 'ANSWERED'], rows) };
      }
      const status = all.find((each) => each.network === network.toUpperCase());
      if (!status) throw new CommandError(`${network.toUpperCase()} has not been watched yet.`);
      return { data: status, text: factList(factsOf(status)) };
    },
  }),
  command({
    name: 'cursor rewind',
    summary: 'After a restore: read the newest blocks of a network again.',
    details: 'Harmless: what is known already is not counted twice. The watcher begins within seconds.',
    arguments: ['network', 'blocks'],
    examples: ['cursor rewind BITCOIN 1000'],
    async run({ withDatabaseAtRest }, { network, blocks }) {
      const count = readCount('<blocks>', blocks, 1_000_000);
      const id = network.toUpperCase();
      const from = await withDatabaseAtRest((db) => rewindNetwork(db, id, count));
      return { data: { network: id, from }, text: `${id} is read again from block ${from} on.` };
    },
  }),
];

const stateOf = ({ failingSince, observedAt }: NetworkStatus): string =>
  failingSince ? 'does not answer' : observedAt ? 'ok' : 'not watched yet';

function factsOf(status: NetworkStatus): Record<string, Cell> {
  const { facts } = status;
  const facing = (limits: Readonly<Record<string, string>> = {}) =>
    Object.entries(limits).map(([code, units]) => `${amountText(BigInt(units), code)} ${code}`);
  return {
    network: status.network,
    state: stateOf(status),
    height: status.tipHeight,
    behind: status.blocksBehind,
    answered: status.observedAt,
    'failing since': status.failingSince,
    'last error': status.lastError,
    node: facts.nodeId,
    'node name': facts.nodeName,
    'can receive': facing(facts.receivable).join(', ') || null,
    'can send': facing(facts.sendable).join(', ') || null,
  };
}
