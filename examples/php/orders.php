<?php

declare(strict_types=1);

/** The orders: a file for each, which is there whole or not at all. */

/** The id is random: who knows it may see the order. */
function add_order(array $charge): array
{
    $order = ['id' => bin2hex(random_bytes(16)), 'charge' => $charge, 'checkoutId' => null, 'paymentPage' => null, 'state' => null];
    keep_order($order);
    return $order;
}

/** Null: there is none. What strangers write into an address or a webhook is no path. */
function find_order(mixed $id): ?array
{
    $is_known = is_string($id) && preg_match('/^[0-9a-f]{32}$/D', $id) === 1 && is_file(order_file($id));
    return $is_known ? json_decode(file_get_contents(order_file($id)), true, flags: JSON_THROW_ON_ERROR) : null;
}

/** Gives the order as it was before. One after the other, however many processes serve the shop. */
function change_order(string $id, array $changes): array
{
    $lock = fopen(orders_folder() . '/lock', 'c');
    flock($lock, LOCK_EX);
    $before = find_order($id);
    keep_order(array_merge($before, $changes));
    fclose($lock);
    return $before;
}

function keep_order(array $order): void
{
    $file = fopen(order_file($order['id']) . '.new', 'w');
    fwrite($file, json_encode($order, JSON_PRETTY_PRINT | JSON_THROW_ON_ERROR));
    fsync($file);
    fclose($file);
    rename(order_file($order['id']) . '.new', order_file($order['id']));
}

function order_file(string $id): string
{
    return orders_folder() . "/$id.json";
}

function orders_folder(): string
{
    $folder = getenv('ORDERS_DIR') ?: __DIR__ . '/orders';
    if (!is_dir($folder)) {
        mkdir($folder, recursive: true);
    }
    return $folder;
}
