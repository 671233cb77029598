<?php

declare(strict_types=1);

namespace Quittance\Resource;

use Quittance\Internal\Api;
use Quittance\RecordList;

/** What is to be paid. */
final class Checkouts
{
    /** @internal */
    public function __construct(private readonly Api $api)
    {
    }

    /**
     * A checkout with a payment page: send the customer to its `url`.
     *
     * @param array<string, mixed> $checkout `charge` with `billingCurrency` and `lineItems`; `webhook` and more
     * @return array{id: string, checkoutId: string, url: string, ...}
     */
    public function createHosted(array $checkout, ?string $idempotencyKey = null): array
    {
        return $this->api->call('POST', '/checkout/hosted', $checkout, $idempotencyKey);
    }

    /**
     * A checkout on a page of your own: show the `paymentMethods`, then `commit`.
     *
     * @param array<string, mixed> $checkout as for `createHosted`
     * @return array{id: string, paymentMethods: list<array<string, mixed>>, ...}
     */
    public function create(array $checkout, ?string $idempotencyKey = null): array
    {
        return $this->api->call('POST', '/checkout', $checkout, $idempotencyKey);
    }

    /**
     * The customer has chosen: gives the address to pay to, and starts the time to pay.
     *
     * @param array{checkoutId: string, network: string, asset?: string} $choice
     * @return array{checkoutId: string, depositInstructions: array<string, mixed>, expirationTime: string, ...}
     */
    public function commit(array $choice, ?string $idempotencyKey = null): array
    {
        return $this->api->call('POST', '/checkout/commit', $choice, $idempotencyKey);
    }

    /** @return array<string, mixed> */
    public function get(string $id): array
    {
        return $this->api->call('GET', '/checkout', ['id' => $id])['checkout'];
    }

    /**
     * Newest first.
     *
     * @param array<string, mixed> $filter the filters of `GET /checkouts`; lists of states are allowed
     */
    public function list(array $filter = []): RecordList
    {
        return $this->api->list('/checkouts', $filter, 'checkouts');
    }

    /**
     * What happened to a checkout, oldest first.
     *
     * @return list<array<string, mixed>>
     */
    public function timeline(string $id): array
    {
        return $this->api->call('GET', '/checkout/timeline', ['id' => $id])['timeline'];
    }

    /**
     * What the service makes of a charge. Nothing is stored. `ChargeTotal::of` finds the same without asking.
     *
     * @param array<string, mixed> $charge `billingCurrency`, `lineItems` and so on
     * @return array{total: string, decimals: int}
     */
    public function total(array $charge): array
    {
        return $this->api->call('POST', '/checkout/validate-checkout-charge', ['charge' => $charge]);
    }

    /**
     * Possible before any payment.
     *
     * @return array<string, mixed>
     */
    public function cancel(string $checkoutId, ?string $idempotencyKey = null): array
    {
        return $this->decide('/checkout/cancel', $checkoutId, $idempotencyKey);
    }

    /**
     * Credits what arrived although it is less than the price.
     *
     * @return array<string, mixed>
     */
    public function acceptUnderpayment(string $checkoutId, ?string $idempotencyKey = null): array
    {
        return $this->decide('/checkout/accept-underpayment', $checkoutId, $idempotencyKey);
    }

    /**
     * Keeps what arrived beyond the price.
     *
     * @return array<string, mixed>
     */
    public function acceptExcess(string $checkoutId, ?string $idempotencyKey = null): array
    {
        return $this->decide('/checkout/accept-excess', $checkoutId, $idempotencyKey);
    }

    /** @return array<string, mixed> */
    private function decide(string $path, string $checkoutId, ?string $idempotencyKey): array
    {
        return $this->api->call('POST', $path, ['checkoutId' => $checkoutId], $idempotencyKey)['checkout'];
    }
}
