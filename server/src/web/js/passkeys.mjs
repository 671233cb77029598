// Passkeys: what the server asks becomes what the browser takes, and its answer a text for the server.

/** @param {string} text */
const bytesOf = (text) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0));

/** @param {ArrayBuffer} buffer */
const textOf = (buffer) =>
  btoa(String.fromCharCode(...new Uint8Array(buffer)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');

/** What the server asks a passkey, as the browser takes it. @param {any} options */
const asked = (options) => ({
  ...options,
  challenge: bytesOf(options.challenge),
  ...(options.user && { user: { ...options.user, id: bytesOf(options.user.id) } }),
  ...listOf(options, 'allowCredentials'),
  ...listOf(options, 'excludeCredentials'),
});

/** @param {any} options @param {string} name */
const listOf = (options, name) =>
  options[name] && { [name]: options[name].map((/** @type {any} */ each) => ({ ...each, id: bytesOf(each.id) })) };

/** @param {any} credential */
const answered = ({ id, type, rawId, response, authenticatorAttachment }) =>
  JSON.stringify({
    id,
    type,
    rawId: textOf(rawId),
    authenticatorAttachment,
    clientExtensionResults: {},
    response: Object.fromEntries(
      ['clientDataJSON', 'attestationObject', 'authenticatorData', 'signature', 'userHandle']
        .filter((name) => response[name])
        .map((name) => [name, textOf(response[name])]),
    ),
  });

/** What the browser answers as one text, to be sent. @param {any} options @param {CredentialMediationRequirement} [mediation] @param {AbortSignal} [signal] */
export const usePasskey = async (options, mediation, signal) =>
  answered(
    await navigator.credentials.get({
      publicKey: asked(options),
      ...(mediation && { mediation }),
      ...(signal && { signal }),
    }),
  );

/** @param {any} options */
export const makePasskey = async (options) =>
  answered(await navigator.credentials.create({ publicKey: asked(options) }));
