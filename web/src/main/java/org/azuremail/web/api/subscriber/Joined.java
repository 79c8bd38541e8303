package org.azuremail.web.api.subscriber;

/** The answer to a partner: nothing that it did not say itself, but the state. */
record Joined(String list, String email, String state) {}
