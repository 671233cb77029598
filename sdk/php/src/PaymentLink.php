<?php

declare(strict_types=1);

namespace Quittance;

/** Addresses of a payment link with an amount that is signed here, without a request. */
final class PaymentLink
{
    /**
     * Where exactly this amount is paid for this reference, once. `$url` and `$secret` are those of a link with
     * `signedOnly`.
     *
     * @param string $amount a decimal such as `"12.50"`
     */
    public static function sign(
        string $url,
        #[\SensitiveParameter] string $secret,
        string $amount,
        string $reference,
    ): string {
        $linkId = basename($url);
        $signature = hash_hmac('sha256', "$linkId\n$amount\n$reference", $secret);
        $query = ['amount' => $amount, 'reference' => $reference, 'signature' => $signature];
        return $url . '?' . http_build_query($query, '', '&', PHP_QUERY_RFC3986);
    }
}
