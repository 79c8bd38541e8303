package org.azuremail.web.api;

/** What a partner is told: nothing that it did not say itself, but the state. */
record Joined(String list, String email, String state) {}
