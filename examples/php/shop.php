<?php

/**
 * A shop that takes crypto. An order is paid when a webhook says so, never because a customer comes back.
 * Quittance must run (`npm start`); then `php -S 127.0.0.1:3002 examples/php/shop.php` opens the shop.
 */

declare(strict_types=1);

use Quittance\ChargeTotal;
use Quittance\CheckoutState;
use Quittance\Client;
use Quittance\Exception\QuittanceException;
use Quittance\Webhook;

require __DIR__ . '/../../sdk/php/autoload.php'; // Your shop has that of Composer here.
require __DIR__ . '/access.php';
require __DIR__ . '/orders.php';
require __DIR__ . '/pages.php';

const PRODUCTS = [
    'tea' => ['name' => 'Green tea', 'price' => '4.50'],
    'pot' => ['name' => 'Teapot', 'price' => '39.90'],
    'cup' => ['name' => 'Cup', 'price' => '12.00'],
];

/** The order is kept before anybody is asked for money, with the prices of now. */
function take_order(array $form): ?array
{
    $product = PRODUCTS[(string) ($form['product'] ?? '')] ?? null;
    $quantity = filter_var($form['quantity'] ?? '', FILTER_VALIDATE_INT, ['options' => ['min_range' => 1, 'max_range' => 99]]);
    if ($product === null || $quantity === false) {
        return null;
    }
    $item = ['description' => $product['name'], 'netAmount' => $product['price'], 'quantity' => $quantity];
    return add_order(['billingCurrency' => 'EUR', 'lineItems' => [$item]]);
}

/** Where the customer pays. The key names the order: whoever asks again, even after a crash, gets the same checkout. */
function payment_page(array $order): string
{
    if ($order['paymentPage'] !== null) {
        return $order['paymentPage'];
    }
    $checkout = client()->checkouts->createHosted([
        'charge' => $order['charge'],
        'webhook' => shop_url() . '/webhook',
        'pageSettings' => ['shopName' => 'The tea shop', 'returnUrl' => shop_url() . "/orders/{$order['id']}"],
        'meta' => ['order' => $order['id']],
    ], idempotencyKey: "order-{$order['id']}");
    change_order($order['id'], ['checkoutId' => $checkout['id'], 'paymentPage' => $checkout['url']]);
    return $checkout['url'];
}

/** Anybody can send anything here. Every answer but 2xx makes Quittance try again, for days. */
function hear_webhook(string $body, array $headers): int
{
    $webhook = Webhook::read(
        $body,
        $headers,
        webhookSecret: getenv('QUITTANCE_WEBHOOK_SECRET') ?: [],
        apiSecret: access()['apiSecret'],
    );
    if (!$webhook->isGenuine) {
        return 401;
    }
    $checkout = $webhook->event->data['checkout'] ?? null;
    if ($checkout === null) {
        return 200; // Not about a checkout.
    }
    $order = find_order($checkout['meta']['order'] ?? '');
    if ($order === null || !is_for($order, $checkout)) {
        return 409; // Not what was ordered here.
    }
    $before = change_order($order['id'], ['state' => $checkout['state']]);
    // The same event may come twice, but an order becomes paid once.
    if (is_paid($checkout) && !is_paid($before)) {
        error_log("Order {$order['id']} is paid: send it.");
    }
    return 200;
}

/** A genuine webhook may be about another checkout: whoever makes one for us can write any order into its `meta`. */
function is_for(array $order, array $checkout): bool
{
    $charge = $checkout['payload']['charge'];
    return $checkout['id'] === $order['checkoutId']
        && ($charge['billingCurrency'] ?? null) === $order['charge']['billingCurrency']
        && ChargeTotal::of($charge) === ChargeTotal::of($order['charge']);
}

function is_paid(array $order): bool
{
    return CheckoutState::tryFrom((string) $order['state'])?->isCredited() ?? false;
}

function client(): Client
{
    return new Client(access()['apiKey'], access()['apiSecret'], access()['baseUrl']);
}

/** Where customers and webhooks find the shop; its own port, unless something stands in front of it. */
function shop_url(): string
{
    return getenv('SHOP_URL') ?: "http://127.0.0.1:{$_SERVER['SERVER_PORT']}";
}

function answer(string $method, string $path): void
{
    if ("$method $path" === 'GET /') {
        client()->authTest(); // Better now than when somebody has chosen.
        show(200, shop_page(PRODUCTS));
        return;
    }
    if ("$method $path" === 'POST /webhook') {
        http_response_code(hear_webhook(file_get_contents('php://input'), getallheaders()));
        return;
    }
    if ("$method $path" === 'POST /orders') {
        $order = take_order($_POST);
        $order === null
            ? show(400, problem_page('We sell 1 to 99 of what we have.'))
            : header('Location: ' . payment_page($order), response_code: 303);
        return;
    }
    preg_match('~^/orders/([^/]+)(/pay)?$~D', $path, $found);
    $order = find_order($found[1] ?? '');
    if ($order === null) {
        show(404, problem_page('There is nothing here.'));
    } elseif ($method === 'POST' && isset($found[2])) {
        header('Location: ' . payment_page($order), response_code: 303);
    } else {
        show(200, order_page($order));
    }
}

function show(int $status, string $html): void
{
    http_response_code($status);
    echo $html;
}

try {
    answer($_SERVER['REQUEST_METHOD'], parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH) ?: '');
} catch (NoAccess | QuittanceException $problem) {
    error_log("The shop cannot ask Quittance. Does it run? {$problem->getMessage()}");
    show(503, problem_page('That does not work at the moment. Please try again.'));
}
