package dev.lightpath.driver.session;

/** What a switch says of itself; empty where it says nothing. Texts are one line each. */
public record Product(String vendor, String model, String serial, String firmware) {}
