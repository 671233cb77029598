/** Files that are made to be fetched later, for programs: only the key that asked for one gets it. */
import { endpoints } from '@quittance/contract/endpoints';
import { type AssetCatalog, findAsset } from '../../catalog/asset-catalog.ts';
import type { Db } from '../../db/database.ts';
import type { Asker } from '../../http/actor.ts';
import { FileReply, type Route, routeFor } from '../../http/route.ts';
import type { Clock } from '../../lib/clock.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { insertAudit } from '../../merchants/merchant-store.ts';
import { dropExport } from '../../reports/end-export.ts';
import type { Export } from '../../reports/export.ts';
import { exportStream, findOwnExport } from '../../reports/export-file.ts';
import { exportRecord } from '../../reports/export-record.ts';
import type { FileLook } from '../frame/account-look.ts';
import { exportHeaders } from '../frame/file-reply.ts';
import { sayInAccount } from '../texts/account-texts.ts';
import { orderExport, placeOrder } from './order-export.ts';

const route = routeFor<Merchant>();

/** Programs read English, and the scope that exports reads customers too. */
const looks = { language: 'en', say: sayInAccount('en') } as const;

export function exportApiRoutes(deps: {
  readonly db: Db;
  readonly clock: Clock;
  readonly assets: AssetCatalog;
}): Route<Merchant>[] {
  const { db, clock, assets } = deps;
  const found = (merchantId: string, actor: Asker, id: string) => findOwnExport(db, merchantId, actor, id);
  return [
    route({
      endpoint: endpoints.createExport,
      check({ body }) {
        const { list, format, asset, period } = body;
        const isReport = list === 'checkoutLedger' || list === 'disposals';
        const isUnknown = asset !== undefined && findAsset(assets, asset) === undefined;
        return [
          ...(list === 'entries' && asset === undefined ? ['asset is needed for the entries of an asset.'] : []),
          ...(isUnknown
            ? [`asset must be the id or code of an asset, see GET /assets, but is ${JSON.stringify(asset)}.`]
            : []),
          ...(list !== 'entries' && asset !== undefined ? ['asset is only for entries.'] : []),
          ...(!isReport && list !== 'entries' && period !== undefined ? [`period is not for ${list}.`] : []),
          ...(!isReport && format === 'json' ? [`json is not for ${list}.`] : []),
        ];
      },
      async handle({ merchant, actor, may, body, carryOut }) {
        const { list, format, period, asset } = body;
        const look: FileLook = {
          ...looks,
          may: (permission) => permission === 'seeCustomers' && may('readCustomers'),
        };
        const asked = { ...(period !== undefined && { period }), ...(asset !== undefined && { asset }) };
        const now = clock.now();
        const ordered = await orderExport(deps, { merchant, look, requestedBy: actor, now }, { list, format, asked });
        return carryOut<Export>(
          ({ begin }) =>
            begin(async (tx) => {
              const id = await placeOrder(tx, merchant.id, ordered, now);
              return findOwnExport(tx, merchant.id, actor, id);
            }),
          (made) => ({ export: exportRecord(made) }),
        );
      },
    }),
    route({
      endpoint: endpoints.getExport,
      handle: async ({ merchant, actor, query }) => ({
        export: exportRecord(await found(merchant.id, actor, query.id)),
      }),
    }),
    route({
      endpoint: endpoints.deleteExport,
      handle: ({ merchant, actor, body, carryOut }) =>
        carryOut<Export>(
          ({ begin }) =>
            begin(async (tx) => {
              const { id } = await findOwnExport(tx, merchant.id, actor, body.id);
              await dropExport(tx, { merchantId: merchant.id, id }, clock.now());
              return findOwnExport(tx, merchant.id, actor, id);
            }),
          (made) => ({ export: exportRecord(made) }),
        ),
    }),
    route({
      endpoint: endpoints.getExportFile,
      async handle({ merchant, actor, query }) {
        const made = await found(merchant.id, actor, query.id);
        const now = clock.now();
        const body = exportStream(db, made, now);
        const detail = { export: made.id };
        await db.begin((tx) =>
          insertAudit(tx, { merchantId: merchant.id, at: now, actor, action: 'export.fetched', detail }),
        );
        return new FileReply(exportHeaders(made), body);
      },
    }),
  ];
}
