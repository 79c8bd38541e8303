package org.azuremail.mail;

import org.azuremail.content.Template;

/**
 * A header beyond From, To, Subject, Date and Message-ID; its value is merged for each recipient like the bodies, on one
 * line.
 */
public record MailHeader(String name, Template value) {}
