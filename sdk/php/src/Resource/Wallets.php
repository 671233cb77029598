<?php

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Internal\Api;
use Quittance\RecordList;

/** What an account holds. */
final class Wallets
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * What the account holds of every asset (`wallets`), and what that is worth.
     *
     * @return array{accountCurrency: string, totalValue: ?string, wallets: list<array<string, mixed>>}
     */
    public function list(): array
    {
        return $this->api->call('GET', '/wallets');
    }

    /**
     * By asset code or asset id.
     *
     * @return array<string, mixed>
     */
    public function get(string $assetCode): array
    {
        return $this->api->call('GET', '/wallet', ['assetCode' => $assetCode]);
    }

    /**
     * What happened to the money, newest first.
     *
     * @param array<string, mixed> $filter the filters of `GET /ledger-entries`
     */
    public function entries(array $filter = []): RecordList
    {
        return $this->api->list('/ledger-entries', $filter, 'entries');
    }
}
