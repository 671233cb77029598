// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

// Tokens and other contracts for the sandbox and the tests. Nothing here is fit for real money.

contract Ledger {
    string public name;
    string public symbol;
    uint8 public immutable decimals;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    event Transfer(address indexed from, address indexed to, uint256 value);
    event Approval(address indexed owner, address indexed spender, uint256 value);

    constructor(string memory symbol_, uint8 decimals_) {
        name = symbol_;
        symbol = symbol_;
        decimals = decimals_;
        balanceOf[msg.sender] = 1e12 * 10 ** uint256(decimals_);
        emit Transfer(address(0), msg.sender, balanceOf[msg.sender]);
    }

    function move(address from, address to, uint256 value) internal {
        require(balanceOf[from] >= value, "too little");
        balanceOf[from] -= value;
        balanceOf[to] += value;
        emit Transfer(from, to, value);
    }

    function take(address from, uint256 value) internal {
        require(allowance[from][msg.sender] >= value, "not allowed");
        allowance[from][msg.sender] -= value;
    }

    function allow(address spender, uint256 value) internal {
        allowance[msg.sender][spender] = value;
        emit Approval(msg.sender, spender, value);
    }
}

/// As EIP-20 says, like USDC.
contract PlainToken is Ledger {
    constructor(string memory symbol_, uint8 decimals_) Ledger(symbol_, decimals_) {}

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value);
        return true;
    }

    function transferFrom(address from, address to, uint256 value) external returns (bool) {
        take(from, value);
        move(from, to, value);
        return true;
    }

    function approve(address spender, uint256 value) external returns (bool) {
        allow(spender, value);
        return true;
    }
}

/// Older than the standard: its functions return nothing, like those of USDT.
contract SilentToken is Ledger {
    constructor(string memory symbol_, uint8 decimals_) Ledger(symbol_, decimals_) {}

    function transfer(address to, uint256 value) external {
        move(msg.sender, to, value);
    }

    function transferFrom(address from, address to, uint256 value) external {
        take(from, value);
        move(from, to, value);
    }

    function approve(address spender, uint256 value) external {
        allow(spender, value);
    }
}

/// Keeps one percent of every transfer.
contract FeeToken is Ledger {
    address private immutable keeper = msg.sender;

    constructor(string memory symbol_, uint8 decimals_) Ledger(symbol_, decimals_) {}

    function transfer(address to, uint256 value) external returns (bool) {
        move(msg.sender, to, value - value / 100);
        move(msg.sender, keeper, value / 100);
        return true;
    }
}

/// Whose issuer can freeze an account, as the issuers of dollar tokens can.
contract FreezableToken is Ledger {
    mapping(address => bool) private frozen;

    constructor(string memory symbol_, uint8 decimals_) Ledger(symbol_, decimals_) {}

    function freeze(address account) external {
        frozen[account] = true;
    }

    function transfer(address to, uint256 value) external returns (bool) {
        require(!frozen[msg.sender] && !frozen[to], "account is frozen");
        move(msg.sender, to, value);
        return true;
    }
}

/// Says no instead of failing.
contract SulkingToken is Ledger {
    constructor(string memory symbol_, uint8 decimals_) Ledger(symbol_, decimals_) {}

    function transfer(address to, uint256 value) external returns (bool) {
        if (balanceOf[msg.sender] < value || value == 666) return false;
        move(msg.sender, to, value);
        return true;
    }
}

/// Passes ether on from the inside, as exchanges and wallets made of contracts do.
contract Forwarder {
    function forward(address payable[] calldata to) external payable {
        for (uint256 at = 0; at < to.length; at++) {
            (bool done, ) = to[at].call{value: msg.value / to.length}("");
            require(done, "refused");
        }
    }
}

/// Moves tokens to many in one transaction.
contract Splitter {
    function split(address token, address[] calldata to, uint256[] calldata values) external {
        for (uint256 at = 0; at < to.length; at++) {
            (bool done, ) = token.call(
                abi.encodeWithSignature("transferFrom(address,address,uint256)", msg.sender, to[at], values[at])
            );
            require(done, "refused");
        }
    }
}
