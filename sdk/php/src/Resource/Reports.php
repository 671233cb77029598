<?php

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\ExportFile;
use Quittance\Internal\Api;
use Quittance\RecordList;

/**
 * Reports over closed days, and files of them.
 *
 * A period is a day, month, quarter or year: 2026-10-17, 2026-10, 2026-Q4, 2026. Without one it is the month of the
 * last closed day.
 */
final class Reports
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /** @return array<string, mixed> */
    public function statement(?string $period = null): array
    {
        return $this->api->call('GET', '/reports/statement', ['period' => $period])['statement'];
    }

    /** @return array<string, mixed> */
    public function tax(?string $period = null): array
    {
        return $this->api->call('GET', '/reports/tax', ['period' => $period]);
    }

    /** @return array<string, mixed> */
    public function fees(?string $period = null): array
    {
        return $this->api->call('GET', '/reports/fees', ['period' => $period]);
    }

    /** The checkout ledger: credits and refunds, in the order of time. */
    public function checkouts(?string $period = null): RecordList
    {
        return $this->api->list('/reports/checkouts', ['period' => $period], 'rows');
    }

    /** Transfers and disposals, in the order of time. */
    public function disposals(?string $period = null): RecordList
    {
        return $this->api->list('/reports/disposals', ['period' => $period], 'rows');
    }

    /**
     * A list of any length as a file that is made in the background: ask `export` until it is READY.
     *
     * @param array<string, mixed> $wanted `list`, `format`, `period` and `asset`
     * @return array<string, mixed>
     */
    public function createExport(array $wanted, ?string $idempotencyKey = null): array
    {
        return $this->api->call('POST', '/reports/exports', $wanted, $idempotencyKey)['export'];
    }

    /** @return array<string, mixed> */
    public function export(string $id): array
    {
        return $this->api->call('GET', '/reports/exports', ['id' => $id])['export'];
    }

    public function exportFile(string $id): ExportFile
    {
        return $this->api->file('/reports/exports/file', ['id' => $id]);
    }

    /** @return array<string, mixed> */
    public function deleteExport(string $id, ?string $idempotencyKey = null): array
    {
        return $this->api->call('DELETE', '/reports/exports', ['id' => $id], $idempotencyKey)['export'];
    }
}
