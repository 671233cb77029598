<?php

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Internal\Api;
use Quittance\RecordList;

/** Who pays. */
final class Customers
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * Gives the id. The same e-mail address again gives the same one, with the new fields.
     *
     * @param array<string, mixed> $customer `email` and more
     */
    public function create(array $customer, ?string $idempotencyKey = null): string
    {
        return $this->api->call('POST', '/customer', ['customer' => $customer], $idempotencyKey)['customerId'];
    }

    /**
     * Fields that are left out stay as they are; an empty text empties a field.
     *
     * @param array<string, mixed> $customer `id` and what changes
     */
    public function change(array $customer, ?string $idempotencyKey = null): void
    {
        $this->api->call('PUT', '/customer', ['customer' => $customer], $idempotencyKey);
    }

    public function delete(string $id, ?string $idempotencyKey = null): void
    {
        $this->api->call('DELETE', '/customer', ['id' => $id], $idempotencyKey);
    }

    /** @return array<string, mixed> */
    public function get(string $id): array
    {
        return $this->api->call('GET', '/customer', ['id' => $id])['customer'];
    }

    /**
     * Newest first.
     *
     * @param array<string, mixed> $filter the filters of `GET /customers`
     */
    public function list(array $filter = []): RecordList
    {
        return $this->api->list('/customers', $filter, 'customers');
    }
}
