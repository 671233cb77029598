<?php

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Internal\Api;
use Quittance\RecordList;

/** Money that arrives without a charge. */
final class Deposits
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * Gives an address.
     *
     * @param array<string, mixed> $deposit `network`, and `asset`, `amount`, `reusable`, `webhook` where they matter
     * @return array{id: string, depositInstructions: array<string, mixed>, ...}
     */
    public function create(array $deposit, ?string $idempotencyKey = null): array
    {
        return $this->api->call('POST', '/deposit-address', $deposit, $idempotencyKey);
    }

    /** @return array<string, mixed> */
    public function get(string $id): array
    {
        return $this->api->call('GET', '/deposit', ['id' => $id])['deposit'];
    }

    /** @return array<string, mixed> */
    public function close(string $id, ?string $idempotencyKey = null): array
    {
        return $this->api->call('POST', '/deposit/close', ['id' => $id], $idempotencyKey)['deposit'];
    }

    /**
     * Newest first.
     *
     * @param array<string, mixed> $filter the filters of `GET /deposits`; lists of states are allowed
     */
    public function list(array $filter = []): RecordList
    {
        return $this->api->list('/deposits', $filter, 'deposits');
    }
}
