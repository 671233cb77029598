/**
 * What may be asked for through a merchant's own domain. Containers that are out there forward these paths and no
 * others, so every address on a payment page lies among them; and we answer no others to a branding key.
 */
const pages =
  /^\/[a-z]{2}\/(checkout\/[a-z0-9]+(\/.*)?|checkout-invalid|(invoice|cancel-hosted-checkout|return-from-hosted-checkout)\/[a-z0-9]+)\/?$/;
const files = /^\/(ajax\/|websocket|css\/|js\/|images\/|manifest\.json$)|\.(ico|png|gif)$/;
const questions = /^\/api\/v1\/(health|status)\/brand-connect$/;

export const isForwarded = (path: string): boolean => [pages, files, questions].some((form) => form.test(path));
