<?php

declare(strict_types=1);

namespace Quittance;

use Quittance\Internal\Decimal;

/** What a charge comes to, by the rule of the API, exactly: the service finds the same. Nothing is rounded. */
final class ChargeTotal
{
    /**
     * @param array{
     *     lineItems: list<array<string, mixed>>,
     *     discountItems?: list<array<string, mixed>>|null,
     *     shippingCostItems?: list<array<string, mixed>>|null,
     *     taxItems?: list<array<string, mixed>>|null,
     *     ...
     * } $charge amounts as decimal strings
     * @return string for example `"108.9112225"`
     */
    public static function of(array $charge): string
    {
        $lines = self::sum($charge['lineItems'], static fn (array $item): Decimal =>
            Decimal::of($item['netAmount'])->times(Decimal::of($item['quantity'] ?? '1')));
        $goods = $lines->minus(self::sum($charge['discountItems'] ?? [], self::amountOf(...)));
        $shipping = $charge['shippingCostItems'] ?? [];
        $taxedShipping = array_filter($shipping, static fn (array $item): bool => ($item['taxable'] ?? null) === true);
        $rate = self::sum($charge['taxItems'] ?? [], static fn (array $item): Decimal => Decimal::of($item['percent']));

        $net = $goods->plus(self::sum($shipping, self::amountOf(...)));
        $taxable = $goods->plus(self::sum($taxedShipping, self::amountOf(...)));
        return $net->plus($taxable->times($rate))->toText();
    }

    /** @param array<string, mixed> $item */
    private static function amountOf(array $item): Decimal
    {
        return Decimal::of($item['netAmount'] ?? '0');
    }

    /**
     * @param array<array-key, array<string, mixed>> $items
     * @param callable(array<string, mixed>): Decimal $worth
     */
    private static function sum(array $items, callable $worth): Decimal
    {
        $total = Decimal::of('0');
        foreach ($items as $item) {
            $total = $total->plus($worth($item));
        }
        return $total;
    }
}
