/** Slots of a network: who gets how many, by what they are counted, and what the node is asked for. */
import type { Saboteur } from './saboteur.ts';

const rule = 'server/src/sending/slot-share.test.ts';
const story = 'server/test/lightning-slots.sampled.test.ts';
const refusedOnes = 'sixty payments that their recipient holds';
const waitingOnes = 'what was ordered while nobody knew of slots';
const node = 'server/src/networks/lightning/lnd-node.test.ts';
const asked = 'server/src/networks/lightning/sent-payments.test.ts';

export const saboteurs: readonly Saboteur[] = [
  {
    file: 'sending/slot-share.ts',
    fault: 'all slots go to who comes first, and none is kept for a first payment',
    find: 'Math.floor(total / 2) - beyond',
    replace: 'total - beyond',
    noticedBy: rule,
  },
  {
    file: 'sending/slot-share.ts',
    fault: 'one merchant gets the whole half of further slots',
    find: '(left - beyondFirst(own)) / 2',
    replace: 'left',
    noticedBy: rule,
  },
  {
    file: 'sending/slot-share.ts',
    fault: 'what is signed and was not sent yet counts as free',
    find: 'free - unsent',
    replace: 'free',
    noticedBy: rule,
  },
  {
    file: 'wallets/create-transfer.ts',
    fault: 'a transfer that finds no slot is taken, and waits in silence',
    find: '      await demandSlot({ ...deps, db: tx }, read.method.connector.network, merchant.id);\n',
    replace: '',
    noticedBy: story,
    test: refusedOnes,
  },
  {
    file: 'wallets/demand-slot.ts',
    fault: 'what is queued has no slot, so any number can be ordered before the first is signed',
    find: '[each.merchantId, each.signed + each.queued]',
    replace: '[each.merchantId, each.signed]',
    noticedBy: story,
    test: refusedOnes,
  },
  {
    file: 'sending/slot-store.ts',
    fault: 'a payment that is under way gives its slot back',
    find: "filter (where state = 'SIGNED'), 0)::integer as signed",
    replace: "filter (where state = 'DONE'), 0)::integer as signed",
    noticedBy: story,
    test: waitingOnes,
  },
  {
    file: 'sending/send-network.ts',
    fault: 'who signs gives everybody as many slots as there are',
    find: 'slotsMax: slotShare(slots, use)',
    replace: 'slotsMax: slots.free',
    noticedBy: story,
    test: waitingOnes,
  },
  {
    file: 'sending/send-network.ts',
    fault: 'a transfer that waits for a slot does not say so',
    find: 'waitsFor: slotsMax > 0 ? null : slotWaitOf(use)',
    replace: 'waitsFor: null',
    noticedBy: story,
    test: waitingOnes,
  },
  {
    file: 'networks/lightning/lightning-sender.ts',
    fault: 'a payment may be held for as long as the node allows',
    find: '          cltv_limit: order.holdBlocksMax ?? limits.holdBlocksMax,\n',
    replace: '',
    noticedBy: asked,
  },
  {
    file: 'networks/lightning/lightning-sender.ts',
    fault: 'a payment may be cut into more parts than it counts',
    find: 'max_parts: mostParts(order)',
    replace: 'max_parts: 16',
    noticedBy: asked,
  },
  {
    file: 'networks/lightning/lightning-destination.ts',
    fault: 'an invoice may want to hold its payment for one block more than LND can bound',
    find: 'invoice.finalBlocks > most',
    replace: 'invoice.finalBlocks > most + 1',
    noticedBy: 'server/src/networks/lightning/lightning-order.test.ts',
  },
  {
    file: 'networks/lightning/lnd-node.ts',
    fault: 'what comes in takes the slots of what goes out',
    find: '.filter(({ incoming }) => !incoming).length',
    replace: '.length',
    noticedBy: node,
  },
  {
    file: 'networks/lightning/lnd-node.ts',
    fault: 'money behind a channel without a free slot can be sent',
    find: 'if (freeSlots(channel) > 0) sendable',
    replace: 'sendable',
    noticedBy: node,
  },
];
