<?php

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Internal\Api;
use Quittance\RecordList;

/** Destinations of transfers, by label. */
final class TargetAccounts
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * @param array<string, mixed> $targetAccount `label`, `network`, `address` and more
     * @return array<string, mixed>
     */
    public function create(array $targetAccount, ?string $idempotencyKey = null): array
    {
        return $this->api->call('POST', '/target-account', $targetAccount, $idempotencyKey)['targetAccount'];
    }

    /**
     * @param array<string, mixed> $targetAccount `id` and what changes
     * @return array<string, mixed>
     */
    public function change(array $targetAccount, ?string $idempotencyKey = null): array
    {
        return $this->api->call('POST', '/target-account', $targetAccount, $idempotencyKey)['targetAccount'];
    }

    /**
     * @param array{id: string}|array{label: string} $which
     * @return array<string, mixed>
     */
    public function get(array $which): array
    {
        return $this->api->call('GET', '/target-account', $which)['targetAccount'];
    }

    /** @param array{id: string}|array{label: string} $which */
    public function delete(array $which, ?string $idempotencyKey = null): void
    {
        $this->api->call('DELETE', '/target-account', $which, $idempotencyKey);
    }

    /** @param array<string, mixed> $filter the filters of `GET /target-accounts` */
    public function list(array $filter = []): RecordList
    {
        return $this->api->list('/target-accounts', $filter, 'targetAccounts');
    }
}
