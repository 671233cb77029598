<?php

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Internal\Api;
use Quittance\RecordList;

/** Who receives what an account sends. */
final class Beneficiaries
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * Gives the id.
     *
     * @param array<string, mixed> $beneficiary as in the API reference
     */
    public function create(array $beneficiary, ?string $idempotencyKey = null): string
    {
        $reply = $this->api->call('POST', '/beneficiary', ['beneficiary' => $beneficiary], $idempotencyKey);
        return $reply['beneficiaryId'];
    }

    /**
     * Fields that are left out stay as they are; an empty text empties a field.
     *
     * @param array<string, mixed> $beneficiary `id` and what changes
     */
    public function change(array $beneficiary, ?string $idempotencyKey = null): void
    {
        $this->api->call('PUT', '/beneficiary', ['beneficiary' => $beneficiary], $idempotencyKey);
    }

    public function delete(string $id, ?string $idempotencyKey = null): void
    {
        $this->api->call('DELETE', '/beneficiary', ['id' => $id], $idempotencyKey);
    }

    /** @return array<string, mixed> */
    public function get(string $id): array
    {
        return $this->api->call('GET', '/beneficiary', ['id' => $id])['beneficiary'];
    }

    /**
     * Newest first.
     *
     * @param array<string, mixed> $filter the filters of `GET /beneficiaries`
     */
    public function list(array $filter = []): RecordList
    {
        return $this->api->list('/beneficiaries', $filter, 'beneficiaries');
    }
}
