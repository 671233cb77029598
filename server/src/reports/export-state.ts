/** Every state of an export, and every move between them. */
import { statesByMove } from '../lib/state-table.ts';

/** `DELETED`: its file was there, and is not any more. */
export type ExportState = 'WAITING' | 'MAKING' | 'READY' | 'DELETED' | 'CANCELED' | 'FAILED';

export const exportStates = statesByMove({
  column: 'export.state',
  noun: 'export',
  states: ['WAITING', 'MAKING', 'READY', 'DELETED', 'CANCELED', 'FAILED'] satisfies ExportState[],
  first: ['WAITING'],
  last: ['DELETED', 'CANCELED', 'FAILED'],
  moves: {
    begin: { WAITING: 'MAKING' },
    /** A further part was written. */
    write: { MAKING: 'MAKING' },
    finish: { MAKING: 'READY' },
    /** By who asked for it, or because they may not have it any more. */
    cancel: { WAITING: 'CANCELED', MAKING: 'CANCELED' },
    fail: { WAITING: 'FAILED', MAKING: 'FAILED' },
    delete: { READY: 'DELETED' },
  },
});

export type ExportMove = keyof typeof exportStates.moves;

export const isBeingMade = (state: ExportState): boolean => exportStates.can(state, 'cancel');
