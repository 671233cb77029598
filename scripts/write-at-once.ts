/**
 * For processes of tests (`node --import`): what one writes to a pipe is written before it goes on. Node's runner ends a
 * process after its last test whatever is still unread, so that the report of a run lacked whole files now and then, which
 * had been told all the same.
 */
type Handle = { setBlocking?(isBlocking: boolean): unknown };

(process.stdout as { readonly _handle?: Handle })._handle?.setBlocking?.(true);
