<?php

declare(strict_types=1);

// The SDK beside this folder. Your shop has `require 'vendor/autoload.php';` of Composer here.
spl_autoload_register(static function (string $class): void {
    $file = __DIR__ . '/../../sdk/php/src/' . strtr(substr($class, strlen('Quittance\\')), '\\', '/') . '.php';
    if (str_starts_with($class, 'Quittance\\') && is_file($file)) {
        require $file;
    }
});
