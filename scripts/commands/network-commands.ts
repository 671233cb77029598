import { loadNetworkStatus, type NetworkStatus } from '@quittance/server/deposits/network-health';
import { type Command, CommandError, command } from '../command-line.ts';
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
