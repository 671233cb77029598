#!/bin/sh
# Reads everything from the branding key and starts Caddy: `qb1.<service>.<domain>.<secret>`, each part in base64url.
# `entrypoint.sh health` asks whether the container is well.
set -eu

fail() {
  echo "brand-connect: $1" >&2
  exit 1
}

# base64url without padding, as far as it can be read.
decode() {
  text=$(printf '%s' "$1" | tr '_-' '/+')
  while [ $((${#text} % 4)) -ne 0 ]; do text="$text="; done
  printf '%s' "$text" | base64 -d 2>/dev/null || true
}

HEALTH_PORT=${HEALTH_PORT:-8081}
if [ "${1:-}" = health ]; then
  exec wget -q -T 5 -O /dev/null "http://127.0.0.1:$HEALTH_PORT/health"
fi

# Kubernetes and Docker can mount secrets as files, where no list of processes shows them.
if [ -n "${BRANDING_KEY_FILE:-}" ]; then
  [ -r "$BRANDING_KEY_FILE" ] || fail "BRANDING_KEY_FILE is $BRANDING_KEY_FILE, which cannot be read."
  BRANDING_KEY=$(cat "$BRANDING_KEY_FILE")
fi
BRANDING_KEY=$(printf '%s' "${BRANDING_KEY:-}" | tr -d '[:space:]')
[ -n "$BRANDING_KEY" ] || fail "BRANDING_KEY is missing. Whoever runs the payment service makes one: npx quittance brand key."

case $BRANDING_KEY in
  qb1.*.*.*)
    rest=${BRANDING_KEY#qb1.}
    SERVICE_URL=${SERVICE_URL:-$(decode "${rest%%.*}")}
    rest=${rest#*.}
    BRAND_DOMAIN=${BRAND_DOMAIN:-$(decode "${rest%%.*}")}
    ;;
esac
SERVICE_URL=${SERVICE_URL:-}
BRAND_DOMAIN=${BRAND_DOMAIN:-}

printf '%s' "$SERVICE_URL" | grep -Eq '^https?://[A-Za-z0-9.-]+(:[0-9]+)?$' ||
  fail "BRANDING_KEY does not say where the service is. Copy it again, or set SERVICE_URL to an address such as https://pay.example.com."
printf '%s' "$BRAND_DOMAIN" | grep -Eq '^[A-Za-z0-9.-]+$' ||
  fail "BRANDING_KEY does not say for which domain it was made. Copy it again, or set BRAND_DOMAIN to a name such as pay.shop.example."

HTTP_PORT=${HTTP_PORT:-8080}
HTTPS_PORT=${HTTPS_PORT:-8443}
TLS=${TLS:-auto}
CERTIFICATES=""
TRUST=""
case $TLS in
  auto) # Certificates of Let's Encrypt, or of the authority that was named, fetched and renewed by Caddy.
    SITE=$BRAND_DOMAIN
    if [ -n "${ACME_CA:-}" ]; then
      printf '%s' "$ACME_CA" | grep -Eq '^https://[^[:space:]{}]+$' ||
        fail "ACME_CA must be the https address of an ACME directory, but is $ACME_CA."
      CERTIFICATES="acme_ca $ACME_CA"
    fi
    if [ -n "${ACME_CA_ROOT:-}" ]; then
      [ -r "$ACME_CA_ROOT" ] || fail "ACME_CA_ROOT is $ACME_CA_ROOT, which cannot be read."
      CERTIFICATES="$CERTIFICATES
	acme_ca_root \"$ACME_CA_ROOT\""
    fi
    if [ -n "${ACME_EMAIL:-}" ]; then
      printf '%s' "$ACME_EMAIL" | grep -Eq '^[^[:space:]{}@]+@[^[:space:]{}@]+$' ||
        fail "ACME_EMAIL must be an e-mail address, but is $ACME_EMAIL."
      CERTIFICATES="$CERTIFICATES
	email $ACME_EMAIL"
    fi
    ;;
  internal) # Certificates of Caddy's own, which no browser knows: to try it out.
    SITE=$BRAND_DOMAIN
    CERTIFICATES="local_certs
	skip_install_trust"
    ;;
  off) # Another proxy before this one has the certificate, and says who the customer is.
    SITE="http://:$HTTP_PORT"
    TRUST="trusted_proxies ${TRUSTED_PROXIES:-private_ranges}"
    ;;
  *) fail "TLS must be auto, internal or off, but is $TLS." ;;
esac

export BRANDING_KEY SERVICE_URL BRAND_DOMAIN HTTP_PORT HTTPS_PORT HEALTH_PORT SITE CERTIFICATES TRUST
echo "brand-connect: $BRAND_DOMAIN serves the payment pages of $SERVICE_URL (TLS $TLS)." >&2
exec caddy run --config "${CADDYFILE:-/etc/caddy/Caddyfile}" --adapter caddyfile
