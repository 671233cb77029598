<?php

declare(strict_types=1);

use Quittance\ChargeTotal;

/** What the customer sees. */
function page(string $title, string $body): string
{
    return <<<HTML
        <!doctype html>
        <html lang="en">
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>$title</title>
        <style>body { font: 1.1rem/1.6 system-ui; max-width: 32rem; margin: 3rem auto; padding: 0 1rem }</style>
        <h1>$title</h1>
        $body
        </html>
        HTML;
}

function shop_page(array $products): string
{
    $choices = '';
    foreach ($products as $id => ['name' => $name, 'price' => $price]) {
        $choices .= "<p><label><input type=\"radio\" name=\"product\" value=\"$id\" required> $name, $price EUR</label>\n";
    }
    return page('The tea shop', <<<HTML
        <form method="post" action="/orders">
        $choices
        <p><label>How many? <input type="number" name="quantity" value="1" min="1" max="99" required></label>
        <p><button>Order and pay</button>
        </form>
        HTML);
}

function order_page(array $order): string
{
    [['description' => $description, 'quantity' => $quantity]] = $order['charge']['lineItems'];
    $total = sprintf('%.2f %s', ChargeTotal::of($order['charge']), $order['charge']['billingCurrency']); // Only shown.
    $pay = "<form method=\"post\" action=\"/orders/{$order['id']}/pay\"><button>Pay</button></form>";
    return page('Your order', "<p>$quantity × $description: $total\n"
        . '<p><strong>' . sentence_of($order) . "</strong>\n"
        . ($order['state'] === null ? $pay : '')
        . '<p><a href="">Look again</a> <a href="/">Back to the shop</a>');
}

function sentence_of(array $order): string
{
    return match (true) {
        is_paid($order) => 'It is paid. Thank you!',
        $order['state'] === 'REFUNDED' => 'You got your money back.',
        $order['state'] === 'UNDERPAID' => 'Too little has arrived. We will write to you.',
        default => 'It is not paid yet.',
    };
}

function problem_page(string $sentence): string
{
    return page('Oh', "<p>$sentence");
}
