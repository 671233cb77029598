/** Browsers make no passkeys for an IP address, but for `localhost`. */
export function asLocalhost(publicUrl: string): string {
  const url = new URL(publicUrl);
  if (url.hostname === '127.0.0.1' || url.hostname === '[::1]') url.hostname = 'localhost';
  return url.origin;
}
