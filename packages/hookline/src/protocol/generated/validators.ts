// @ts-nocheck
// Generated from the schemas in src/protocol by `npm run generate`.
"use strict";
export const commonInput = validate10;
const schema11 = {"type":"object","properties":{"session_id":{"type":"string"},"transcript_path":{"type":"string"},"cwd":{"type":"string"},"permission_mode":{"type":"string"},"agent_id":{"type":"string"}},"additionalProperties":{}};

function validate10(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.session_id !== undefined){
if(typeof data.session_id !== "string"){
const err0 = {instancePath:instancePath+"/session_id",schemaPath:"#/properties/session_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.transcript_path !== undefined){
if(typeof data.transcript_path !== "string"){
const err1 = {instancePath:instancePath+"/transcript_path",schemaPath:"#/properties/transcript_path/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.cwd !== undefined){
if(typeof data.cwd !== "string"){
const err2 = {instancePath:instancePath+"/cwd",schemaPath:"#/properties/cwd/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.permission_mode !== undefined){
if(typeof data.permission_mode !== "string"){
const err3 = {instancePath:instancePath+"/permission_mode",schemaPath:"#/properties/permission_mode/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.agent_id !== undefined){
if(typeof data.agent_id !== "string"){
const err4 = {instancePath:instancePath+"/agent_id",schemaPath:"#/properties/agent_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate10.errors = vErrors;
return errors === 0;
}

export const commonAnswer = validate11;
const schema12 = {"type":"object","properties":{"continue":{"type":"boolean"},"stopReason":{"type":"string"},"suppressOutput":{"type":"boolean"},"systemMessage":{"type":"string"},"decision":{"type":"string","enum":["approve","block","allow","deny"]},"reason":{"type":"string"},"async":{"type":"boolean"},"additionalContext":{"type":"string"},"asyncTimeout":{"type":"number"}},"additionalProperties":{}};

function validate11(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.continue !== undefined){
if(typeof data.continue !== "boolean"){
const err0 = {instancePath:instancePath+"/continue",schemaPath:"#/properties/continue/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.stopReason !== undefined){
if(typeof data.stopReason !== "string"){
const err1 = {instancePath:instancePath+"/stopReason",schemaPath:"#/properties/stopReason/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.suppressOutput !== undefined){
if(typeof data.suppressOutput !== "boolean"){
const err2 = {instancePath:instancePath+"/suppressOutput",schemaPath:"#/properties/suppressOutput/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.systemMessage !== undefined){
if(typeof data.systemMessage !== "string"){
const err3 = {instancePath:instancePath+"/systemMessage",schemaPath:"#/properties/systemMessage/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.decision !== undefined){
let data4 = data.decision;
if(typeof data4 !== "string"){
const err4 = {instancePath:instancePath+"/decision",schemaPath:"#/properties/decision/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!((((data4 === "approve") || (data4 === "block")) || (data4 === "allow")) || (data4 === "deny"))){
const err5 = {instancePath:instancePath+"/decision",schemaPath:"#/properties/decision/enum",keyword:"enum",params:{allowedValues: schema12.properties.decision.enum}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.reason !== undefined){
if(typeof data.reason !== "string"){
const err6 = {instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
if(data.async !== undefined){
if(typeof data.async !== "boolean"){
const err7 = {instancePath:instancePath+"/async",schemaPath:"#/properties/async/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.additionalContext !== undefined){
if(typeof data.additionalContext !== "string"){
const err8 = {instancePath:instancePath+"/additionalContext",schemaPath:"#/properties/additionalContext/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.asyncTimeout !== undefined){
if(!(typeof data.asyncTimeout == "number")){
const err9 = {instancePath:instancePath+"/asyncTimeout",schemaPath:"#/properties/asyncTimeout/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate11.errors = vErrors;
return errors === 0;
}

export const SessionStartInput = validate12;
const schema13 = {"type":"object","properties":{"source":{"type":"string"},"model":{"type":"string"},"agent_type":{"type":"string"}},"required":["source"],"additionalProperties":{}};

function validate12(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.source === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "source"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.source !== undefined){
if(typeof data.source !== "string"){
const err1 = {instancePath:instancePath+"/source",schemaPath:"#/properties/source/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.model !== undefined){
if(typeof data.model !== "string"){
const err2 = {instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.agent_type !== undefined){
if(typeof data.agent_type !== "string"){
const err3 = {instancePath:instancePath+"/agent_type",schemaPath:"#/properties/agent_type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate12.errors = vErrors;
return errors === 0;
}

export const SessionStartAnswer = validate13;
const schema14 = {"type":"object","properties":{"hookEventName":{"type":"string","const":"SessionStart"},"additionalContext":{"type":"string"}},"required":["hookEventName"],"additionalProperties":{}};

function validate13(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.hookEventName === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "hookEventName"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.hookEventName !== undefined){
let data0 = data.hookEventName;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if("SessionStart" !== data0){
const err2 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/const",keyword:"const",params:{allowedValue: "SessionStart"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.additionalContext !== undefined){
if(typeof data.additionalContext !== "string"){
const err3 = {instancePath:instancePath+"/additionalContext",schemaPath:"#/properties/additionalContext/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate13.errors = vErrors;
return errors === 0;
}

export const UserPromptSubmitInput = validate14;
const schema15 = {"type":"object","properties":{"prompt":{"type":"string"}},"additionalProperties":{}};

function validate14(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.prompt !== undefined){
if(typeof data.prompt !== "string"){
const err0 = {instancePath:instancePath+"/prompt",schemaPath:"#/properties/prompt/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate14.errors = vErrors;
return errors === 0;
}

export const UserPromptSubmitAnswer = validate15;
const schema16 = {"type":"object","properties":{"hookEventName":{"type":"string","const":"UserPromptSubmit"},"decision":{"type":"string","enum":["approve","block","allow","deny"]},"reason":{"type":"string"},"additionalContext":{"type":"string"}},"required":["hookEventName"],"additionalProperties":{}};

function validate15(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.hookEventName === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "hookEventName"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.hookEventName !== undefined){
let data0 = data.hookEventName;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if("UserPromptSubmit" !== data0){
const err2 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/const",keyword:"const",params:{allowedValue: "UserPromptSubmit"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.decision !== undefined){
let data1 = data.decision;
if(typeof data1 !== "string"){
const err3 = {instancePath:instancePath+"/decision",schemaPath:"#/properties/decision/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!((((data1 === "approve") || (data1 === "block")) || (data1 === "allow")) || (data1 === "deny"))){
const err4 = {instancePath:instancePath+"/decision",schemaPath:"#/properties/decision/enum",keyword:"enum",params:{allowedValues: schema16.properties.decision.enum}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.reason !== undefined){
if(typeof data.reason !== "string"){
const err5 = {instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.additionalContext !== undefined){
if(typeof data.additionalContext !== "string"){
const err6 = {instancePath:instancePath+"/additionalContext",schemaPath:"#/properties/additionalContext/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
}
else {
const err7 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
validate15.errors = vErrors;
return errors === 0;
}

export const PreToolUseInput = validate16;
const schema17 = {"type":"object","properties":{"tool_name":{"type":"string"},"tool_input":{"type":"object","properties":{},"additionalProperties":{}},"tool_use_id":{"type":"string"}},"required":["tool_name"],"additionalProperties":{}};

function validate16(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.tool_name === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "tool_name"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.tool_name !== undefined){
if(typeof data.tool_name !== "string"){
const err1 = {instancePath:instancePath+"/tool_name",schemaPath:"#/properties/tool_name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.tool_input !== undefined){
let data1 = data.tool_input;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
const err2 = {instancePath:instancePath+"/tool_input",schemaPath:"#/properties/tool_input/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.tool_use_id !== undefined){
if(typeof data.tool_use_id !== "string"){
const err3 = {instancePath:instancePath+"/tool_use_id",schemaPath:"#/properties/tool_use_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate16.errors = vErrors;
return errors === 0;
}

export const PreToolUseAnswer = validate17;
const schema18 = {"type":"object","properties":{"hookEventName":{"type":"string","const":"PreToolUse"},"permissionDecision":{"type":"string","enum":["allow","deny","ask"]},"permissionDecisionReason":{"type":"string"},"updatedInput":{"type":"object","propertyNames":{"type":"string"},"additionalProperties":{}},"additionalContext":{"type":"string"}},"required":["hookEventName"],"additionalProperties":{}};

function validate17(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.hookEventName === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "hookEventName"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.hookEventName !== undefined){
let data0 = data.hookEventName;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if("PreToolUse" !== data0){
const err2 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/const",keyword:"const",params:{allowedValue: "PreToolUse"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.permissionDecision !== undefined){
let data1 = data.permissionDecision;
if(typeof data1 !== "string"){
const err3 = {instancePath:instancePath+"/permissionDecision",schemaPath:"#/properties/permissionDecision/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(!(((data1 === "allow") || (data1 === "deny")) || (data1 === "ask"))){
const err4 = {instancePath:instancePath+"/permissionDecision",schemaPath:"#/properties/permissionDecision/enum",keyword:"enum",params:{allowedValues: schema18.properties.permissionDecision.enum}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.permissionDecisionReason !== undefined){
if(typeof data.permissionDecisionReason !== "string"){
const err5 = {instancePath:instancePath+"/permissionDecisionReason",schemaPath:"#/properties/permissionDecisionReason/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.updatedInput !== undefined){
let data3 = data.updatedInput;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
for(const key0 in data3){
const _errs10 = errors;
if(typeof key0 !== "string"){
const err6 = {instancePath:instancePath+"/updatedInput",schemaPath:"#/properties/updatedInput/propertyNames/type",keyword:"type",params:{type: "string"},propertyName:key0};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
var valid1 = _errs10 === errors;
if(!valid1){
const err7 = {instancePath:instancePath+"/updatedInput",schemaPath:"#/properties/updatedInput/propertyNames",keyword:"propertyNames",params:{propertyName: key0}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/updatedInput",schemaPath:"#/properties/updatedInput/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.additionalContext !== undefined){
if(typeof data.additionalContext !== "string"){
const err9 = {instancePath:instancePath+"/additionalContext",schemaPath:"#/properties/additionalContext/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate17.errors = vErrors;
return errors === 0;
}

export const PermissionRequestInput = validate18;
const schema19 = {"type":"object","properties":{"tool_name":{"type":"string"},"tool_input":{"type":"object","properties":{},"additionalProperties":{}},"permission_suggestions":{"type":"array","items":{}}},"required":["tool_name"],"additionalProperties":{}};

function validate18(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.tool_name === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "tool_name"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.tool_name !== undefined){
if(typeof data.tool_name !== "string"){
const err1 = {instancePath:instancePath+"/tool_name",schemaPath:"#/properties/tool_name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.tool_input !== undefined){
let data1 = data.tool_input;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
const err2 = {instancePath:instancePath+"/tool_input",schemaPath:"#/properties/tool_input/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.permission_suggestions !== undefined){
if(!(Array.isArray(data.permission_suggestions))){
const err3 = {instancePath:instancePath+"/permission_suggestions",schemaPath:"#/properties/permission_suggestions/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate18.errors = vErrors;
return errors === 0;
}

export const PermissionRequestAnswer = validate19;
const schema20 = {"type":"object","properties":{"hookEventName":{"type":"string","const":"PermissionRequest"},"decision":{"type":"object","properties":{"behavior":{"type":"string","enum":["allow","deny"]},"updatedInput":{"type":"object","propertyNames":{"type":"string"},"additionalProperties":{}},"updatedPermissions":{"type":"array","items":{"type":"object","properties":{},"additionalProperties":{}}},"message":{"type":"string"},"interrupt":{"type":"boolean"}},"required":["behavior"],"additionalProperties":{}}},"required":["hookEventName"],"additionalProperties":{}};

function validate19(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.hookEventName === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "hookEventName"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.hookEventName !== undefined){
let data0 = data.hookEventName;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if("PermissionRequest" !== data0){
const err2 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/const",keyword:"const",params:{allowedValue: "PermissionRequest"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.decision !== undefined){
let data1 = data.decision;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
if(data1.behavior === undefined){
const err3 = {instancePath:instancePath+"/decision",schemaPath:"#/properties/decision/required",keyword:"required",params:{missingProperty: "behavior"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
if(data1.behavior !== undefined){
let data2 = data1.behavior;
if(typeof data2 !== "string"){
const err4 = {instancePath:instancePath+"/decision/behavior",schemaPath:"#/properties/decision/properties/behavior/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
if(!((data2 === "allow") || (data2 === "deny"))){
const err5 = {instancePath:instancePath+"/decision/behavior",schemaPath:"#/properties/decision/properties/behavior/enum",keyword:"enum",params:{allowedValues: schema20.properties.decision.properties.behavior.enum}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data1.updatedInput !== undefined){
let data3 = data1.updatedInput;
if(data3 && typeof data3 == "object" && !Array.isArray(data3)){
for(const key0 in data3){
const _errs11 = errors;
if(typeof key0 !== "string"){
const err6 = {instancePath:instancePath+"/decision/updatedInput",schemaPath:"#/properties/decision/properties/updatedInput/propertyNames/type",keyword:"type",params:{type: "string"},propertyName:key0};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
var valid2 = _errs11 === errors;
if(!valid2){
const err7 = {instancePath:instancePath+"/decision/updatedInput",schemaPath:"#/properties/decision/properties/updatedInput/propertyNames",keyword:"propertyNames",params:{propertyName: key0}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
}
else {
const err8 = {instancePath:instancePath+"/decision/updatedInput",schemaPath:"#/properties/decision/properties/updatedInput/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data1.updatedPermissions !== undefined){
let data4 = data1.updatedPermissions;
if(Array.isArray(data4)){
const len0 = data4.length;
for(let i0=0; i0<len0; i0++){
let data5 = data4[i0];
if(data5 && typeof data5 == "object" && !Array.isArray(data5)){
}
else {
const err9 = {instancePath:instancePath+"/decision/updatedPermissions/" + i0,schemaPath:"#/properties/decision/properties/updatedPermissions/items/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath:instancePath+"/decision/updatedPermissions",schemaPath:"#/properties/decision/properties/updatedPermissions/type",keyword:"type",params:{type: "array"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
}
if(data1.message !== undefined){
if(typeof data1.message !== "string"){
const err11 = {instancePath:instancePath+"/decision/message",schemaPath:"#/properties/decision/properties/message/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err11];
}
else {
vErrors.push(err11);
}
errors++;
}
}
if(data1.interrupt !== undefined){
if(typeof data1.interrupt !== "boolean"){
const err12 = {instancePath:instancePath+"/decision/interrupt",schemaPath:"#/properties/decision/properties/interrupt/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err12];
}
else {
vErrors.push(err12);
}
errors++;
}
}
}
else {
const err13 = {instancePath:instancePath+"/decision",schemaPath:"#/properties/decision/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err13];
}
else {
vErrors.push(err13);
}
errors++;
}
}
}
else {
const err14 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err14];
}
else {
vErrors.push(err14);
}
errors++;
}
validate19.errors = vErrors;
return errors === 0;
}

export const PostToolUseInput = validate20;
const schema21 = {"type":"object","properties":{"tool_name":{"type":"string"},"tool_input":{"type":"object","properties":{},"additionalProperties":{}},"tool_use_id":{"type":"string"},"tool_response":{}},"required":["tool_name"],"additionalProperties":{}};

function validate20(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.tool_name === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "tool_name"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.tool_name !== undefined){
if(typeof data.tool_name !== "string"){
const err1 = {instancePath:instancePath+"/tool_name",schemaPath:"#/properties/tool_name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.tool_input !== undefined){
let data1 = data.tool_input;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
const err2 = {instancePath:instancePath+"/tool_input",schemaPath:"#/properties/tool_input/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.tool_use_id !== undefined){
if(typeof data.tool_use_id !== "string"){
const err3 = {instancePath:instancePath+"/tool_use_id",schemaPath:"#/properties/tool_use_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate20.errors = vErrors;
return errors === 0;
}

export const PostToolUseAnswer = validate21;
const schema22 = {"type":"object","properties":{"hookEventName":{"type":"string","const":"PostToolUse"},"updatedMCPToolOutput":{},"additionalContext":{"type":"string"}},"required":["hookEventName"],"additionalProperties":{}};

function validate21(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.hookEventName === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "hookEventName"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.hookEventName !== undefined){
let data0 = data.hookEventName;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if("PostToolUse" !== data0){
const err2 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/const",keyword:"const",params:{allowedValue: "PostToolUse"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.additionalContext !== undefined){
if(typeof data.additionalContext !== "string"){
const err3 = {instancePath:instancePath+"/additionalContext",schemaPath:"#/properties/additionalContext/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate21.errors = vErrors;
return errors === 0;
}

export const PostToolUseFailureInput = validate22;
const schema23 = {"type":"object","properties":{"tool_name":{"type":"string"},"tool_input":{"type":"object","properties":{},"additionalProperties":{}},"tool_use_id":{"type":"string"},"error":{"type":"string"},"is_interrupt":{"type":"boolean"}},"required":["tool_name"],"additionalProperties":{}};

function validate22(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.tool_name === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "tool_name"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.tool_name !== undefined){
if(typeof data.tool_name !== "string"){
const err1 = {instancePath:instancePath+"/tool_name",schemaPath:"#/properties/tool_name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.tool_input !== undefined){
let data1 = data.tool_input;
if(data1 && typeof data1 == "object" && !Array.isArray(data1)){
}
else {
const err2 = {instancePath:instancePath+"/tool_input",schemaPath:"#/properties/tool_input/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.tool_use_id !== undefined){
if(typeof data.tool_use_id !== "string"){
const err3 = {instancePath:instancePath+"/tool_use_id",schemaPath:"#/properties/tool_use_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.error !== undefined){
if(typeof data.error !== "string"){
const err4 = {instancePath:instancePath+"/error",schemaPath:"#/properties/error/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.is_interrupt !== undefined){
if(typeof data.is_interrupt !== "boolean"){
const err5 = {instancePath:instancePath+"/is_interrupt",schemaPath:"#/properties/is_interrupt/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate22.errors = vErrors;
return errors === 0;
}

export const PostToolUseFailureAnswer = validate23;
const schema24 = {"type":"object","properties":{"hookEventName":{"type":"string","const":"PostToolUseFailure"},"additionalContext":{"type":"string"}},"required":["hookEventName"],"additionalProperties":{}};

function validate23(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.hookEventName === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "hookEventName"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.hookEventName !== undefined){
let data0 = data.hookEventName;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if("PostToolUseFailure" !== data0){
const err2 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/const",keyword:"const",params:{allowedValue: "PostToolUseFailure"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.additionalContext !== undefined){
if(typeof data.additionalContext !== "string"){
const err3 = {instancePath:instancePath+"/additionalContext",schemaPath:"#/properties/additionalContext/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate23.errors = vErrors;
return errors === 0;
}

export const NotificationInput = validate24;
const schema25 = {"type":"object","properties":{"message":{"type":"string"},"title":{"type":"string"},"notification_type":{"type":"string"}},"required":["notification_type"],"additionalProperties":{}};

function validate24(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.notification_type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "notification_type"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.message !== undefined){
if(typeof data.message !== "string"){
const err1 = {instancePath:instancePath+"/message",schemaPath:"#/properties/message/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.title !== undefined){
if(typeof data.title !== "string"){
const err2 = {instancePath:instancePath+"/title",schemaPath:"#/properties/title/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.notification_type !== undefined){
if(typeof data.notification_type !== "string"){
const err3 = {instancePath:instancePath+"/notification_type",schemaPath:"#/properties/notification_type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate24.errors = vErrors;
return errors === 0;
}

export const NotificationAnswer = validate25;
const schema26 = {"type":"object","properties":{"hookEventName":{"type":"string","const":"Notification"},"additionalContext":{"type":"string"}},"required":["hookEventName"],"additionalProperties":{}};

function validate25(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.hookEventName === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "hookEventName"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.hookEventName !== undefined){
let data0 = data.hookEventName;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if("Notification" !== data0){
const err2 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/const",keyword:"const",params:{allowedValue: "Notification"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.additionalContext !== undefined){
if(typeof data.additionalContext !== "string"){
const err3 = {instancePath:instancePath+"/additionalContext",schemaPath:"#/properties/additionalContext/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate25.errors = vErrors;
return errors === 0;
}

export const SubagentStartInput = validate26;
const schema27 = {"type":"object","properties":{"agent_id":{"type":"string"},"agent_type":{"type":"string"}},"required":["agent_type"],"additionalProperties":{}};

function validate26(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.agent_type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "agent_type"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.agent_id !== undefined){
if(typeof data.agent_id !== "string"){
const err1 = {instancePath:instancePath+"/agent_id",schemaPath:"#/properties/agent_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.agent_type !== undefined){
if(typeof data.agent_type !== "string"){
const err2 = {instancePath:instancePath+"/agent_type",schemaPath:"#/properties/agent_type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate26.errors = vErrors;
return errors === 0;
}

export const SubagentStartAnswer = validate27;
const schema28 = {"type":"object","properties":{"hookEventName":{"type":"string","const":"SubagentStart"},"additionalContext":{"type":"string"}},"required":["hookEventName"],"additionalProperties":{}};

function validate27(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.hookEventName === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "hookEventName"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.hookEventName !== undefined){
let data0 = data.hookEventName;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if("SubagentStart" !== data0){
const err2 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/const",keyword:"const",params:{allowedValue: "SubagentStart"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.additionalContext !== undefined){
if(typeof data.additionalContext !== "string"){
const err3 = {instancePath:instancePath+"/additionalContext",schemaPath:"#/properties/additionalContext/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
}
else {
const err4 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
validate27.errors = vErrors;
return errors === 0;
}

export const SubagentStopInput = validate28;
const schema29 = {"type":"object","properties":{"agent_id":{"type":"string"},"agent_type":{"type":"string"},"stop_hook_active":{"type":"boolean"},"agent_transcript_path":{"type":"string"}},"required":["agent_type"],"additionalProperties":{}};

function validate28(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.agent_type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "agent_type"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.agent_id !== undefined){
if(typeof data.agent_id !== "string"){
const err1 = {instancePath:instancePath+"/agent_id",schemaPath:"#/properties/agent_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.agent_type !== undefined){
if(typeof data.agent_type !== "string"){
const err2 = {instancePath:instancePath+"/agent_type",schemaPath:"#/properties/agent_type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.stop_hook_active !== undefined){
if(typeof data.stop_hook_active !== "boolean"){
const err3 = {instancePath:instancePath+"/stop_hook_active",schemaPath:"#/properties/stop_hook_active/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.agent_transcript_path !== undefined){
if(typeof data.agent_transcript_path !== "string"){
const err4 = {instancePath:instancePath+"/agent_transcript_path",schemaPath:"#/properties/agent_transcript_path/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate28.errors = vErrors;
return errors === 0;
}

export const SubagentStopAnswer = validate29;
const schema30 = {"type":"object","properties":{"hookEventName":{"type":"string","const":"SubagentStop"}},"required":["hookEventName"],"additionalProperties":{}};

function validate29(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.hookEventName === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "hookEventName"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.hookEventName !== undefined){
let data0 = data.hookEventName;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if("SubagentStop" !== data0){
const err2 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/const",keyword:"const",params:{allowedValue: "SubagentStop"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate29.errors = vErrors;
return errors === 0;
}

export const StopInput = validate30;
const schema31 = {"type":"object","properties":{"stop_hook_active":{"type":"boolean"}},"additionalProperties":{}};

function validate30(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.stop_hook_active !== undefined){
if(typeof data.stop_hook_active !== "boolean"){
const err0 = {instancePath:instancePath+"/stop_hook_active",schemaPath:"#/properties/stop_hook_active/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
}
else {
const err1 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
validate30.errors = vErrors;
return errors === 0;
}

export const StopAnswer = validate31;
const schema32 = {"type":"object","properties":{"hookEventName":{"type":"string","const":"Stop"}},"required":["hookEventName"],"additionalProperties":{}};

function validate31(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.hookEventName === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "hookEventName"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.hookEventName !== undefined){
let data0 = data.hookEventName;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if("Stop" !== data0){
const err2 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/const",keyword:"const",params:{allowedValue: "Stop"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate31.errors = vErrors;
return errors === 0;
}

export const TeammateIdleInput = validate32;
const schema33 = {"type":"object","properties":{"teammate_name":{"type":"string"},"team_name":{"type":"string"}},"additionalProperties":{}};

function validate32(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.teammate_name !== undefined){
if(typeof data.teammate_name !== "string"){
const err0 = {instancePath:instancePath+"/teammate_name",schemaPath:"#/properties/teammate_name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.team_name !== undefined){
if(typeof data.team_name !== "string"){
const err1 = {instancePath:instancePath+"/team_name",schemaPath:"#/properties/team_name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate32.errors = vErrors;
return errors === 0;
}

export const TeammateIdleAnswer = validate33;
const schema34 = {"type":"object","properties":{"hookEventName":{"type":"string","const":"TeammateIdle"}},"required":["hookEventName"],"additionalProperties":{}};

function validate33(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.hookEventName === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "hookEventName"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.hookEventName !== undefined){
let data0 = data.hookEventName;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if("TeammateIdle" !== data0){
const err2 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/const",keyword:"const",params:{allowedValue: "TeammateIdle"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate33.errors = vErrors;
return errors === 0;
}

export const TaskCompletedInput = validate34;
const schema35 = {"type":"object","properties":{"task_id":{"type":"string"},"task_subject":{"type":"string"},"task_description":{"type":"string"},"teammate_name":{"type":"string"},"team_name":{"type":"string"}},"additionalProperties":{}};

function validate34(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.task_id !== undefined){
if(typeof data.task_id !== "string"){
const err0 = {instancePath:instancePath+"/task_id",schemaPath:"#/properties/task_id/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
}
if(data.task_subject !== undefined){
if(typeof data.task_subject !== "string"){
const err1 = {instancePath:instancePath+"/task_subject",schemaPath:"#/properties/task_subject/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.task_description !== undefined){
if(typeof data.task_description !== "string"){
const err2 = {instancePath:instancePath+"/task_description",schemaPath:"#/properties/task_description/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
if(data.teammate_name !== undefined){
if(typeof data.teammate_name !== "string"){
const err3 = {instancePath:instancePath+"/teammate_name",schemaPath:"#/properties/teammate_name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.team_name !== undefined){
if(typeof data.team_name !== "string"){
const err4 = {instancePath:instancePath+"/team_name",schemaPath:"#/properties/team_name/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate34.errors = vErrors;
return errors === 0;
}

export const TaskCompletedAnswer = validate35;
const schema36 = {"type":"object","properties":{"hookEventName":{"type":"string","const":"TaskCompleted"}},"required":["hookEventName"],"additionalProperties":{}};

function validate35(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.hookEventName === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "hookEventName"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.hookEventName !== undefined){
let data0 = data.hookEventName;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if("TaskCompleted" !== data0){
const err2 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/const",keyword:"const",params:{allowedValue: "TaskCompleted"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate35.errors = vErrors;
return errors === 0;
}

export const PreCompactInput = validate36;
const schema37 = {"type":"object","properties":{"trigger":{"type":"string"},"custom_instructions":{"type":"string"}},"required":["trigger"],"additionalProperties":{}};

function validate36(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.trigger === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "trigger"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.trigger !== undefined){
if(typeof data.trigger !== "string"){
const err1 = {instancePath:instancePath+"/trigger",schemaPath:"#/properties/trigger/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
if(data.custom_instructions !== undefined){
if(typeof data.custom_instructions !== "string"){
const err2 = {instancePath:instancePath+"/custom_instructions",schemaPath:"#/properties/custom_instructions/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate36.errors = vErrors;
return errors === 0;
}

export const PreCompactAnswer = validate37;
const schema38 = {"type":"object","properties":{"hookEventName":{"type":"string","const":"PreCompact"}},"required":["hookEventName"],"additionalProperties":{}};

function validate37(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.hookEventName === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "hookEventName"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.hookEventName !== undefined){
let data0 = data.hookEventName;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if("PreCompact" !== data0){
const err2 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/const",keyword:"const",params:{allowedValue: "PreCompact"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate37.errors = vErrors;
return errors === 0;
}

export const SessionEndInput = validate38;
const schema39 = {"type":"object","properties":{"reason":{"type":"string"}},"required":["reason"],"additionalProperties":{}};

function validate38(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.reason === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "reason"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.reason !== undefined){
if(typeof data.reason !== "string"){
const err1 = {instancePath:instancePath+"/reason",schemaPath:"#/properties/reason/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
}
}
else {
const err2 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
validate38.errors = vErrors;
return errors === 0;
}

export const SessionEndAnswer = validate39;
const schema40 = {"type":"object","properties":{"hookEventName":{"type":"string","const":"SessionEnd"}},"required":["hookEventName"],"additionalProperties":{}};

function validate39(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.hookEventName === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "hookEventName"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.hookEventName !== undefined){
let data0 = data.hookEventName;
if(typeof data0 !== "string"){
const err1 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if("SessionEnd" !== data0){
const err2 = {instancePath:instancePath+"/hookEventName",schemaPath:"#/properties/hookEventName/const",keyword:"const",params:{allowedValue: "SessionEnd"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
}
}
else {
const err3 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
validate39.errors = vErrors;
return errors === 0;
}

export const commandHook = validate40;
const schema41 = {"type":"object","properties":{"type":{"type":"string","const":"command"},"command":{"type":"string"},"async":{"type":"boolean"},"timeout":{"type":"number","exclusiveMinimum":0},"statusMessage":{"type":"string"},"once":{"type":"boolean"}},"required":["type","command"],"additionalProperties":{}};

function validate40(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.command === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "command"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if("command" !== data0){
const err3 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "command"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.command !== undefined){
if(typeof data.command !== "string"){
const err4 = {instancePath:instancePath+"/command",schemaPath:"#/properties/command/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.async !== undefined){
if(typeof data.async !== "boolean"){
const err5 = {instancePath:instancePath+"/async",schemaPath:"#/properties/async/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.timeout !== undefined){
let data3 = data.timeout;
if(typeof data3 == "number"){
if(data3 <= 0 || isNaN(data3)){
const err6 = {instancePath:instancePath+"/timeout",schemaPath:"#/properties/timeout/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/timeout",schemaPath:"#/properties/timeout/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.statusMessage !== undefined){
if(typeof data.statusMessage !== "string"){
const err8 = {instancePath:instancePath+"/statusMessage",schemaPath:"#/properties/statusMessage/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.once !== undefined){
if(typeof data.once !== "boolean"){
const err9 = {instancePath:instancePath+"/once",schemaPath:"#/properties/once/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate40.errors = vErrors;
return errors === 0;
}

export const promptHook = validate41;
const schema42 = {"type":"object","properties":{"type":{"type":"string","const":"prompt"},"prompt":{"type":"string"},"model":{"type":"string"},"timeout":{"type":"number","exclusiveMinimum":0},"statusMessage":{"type":"string"},"once":{"type":"boolean"}},"required":["type","prompt"],"additionalProperties":{}};

function validate41(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.prompt === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "prompt"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if("prompt" !== data0){
const err3 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "prompt"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.prompt !== undefined){
if(typeof data.prompt !== "string"){
const err4 = {instancePath:instancePath+"/prompt",schemaPath:"#/properties/prompt/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.model !== undefined){
if(typeof data.model !== "string"){
const err5 = {instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.timeout !== undefined){
let data3 = data.timeout;
if(typeof data3 == "number"){
if(data3 <= 0 || isNaN(data3)){
const err6 = {instancePath:instancePath+"/timeout",schemaPath:"#/properties/timeout/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/timeout",schemaPath:"#/properties/timeout/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.statusMessage !== undefined){
if(typeof data.statusMessage !== "string"){
const err8 = {instancePath:instancePath+"/statusMessage",schemaPath:"#/properties/statusMessage/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.once !== undefined){
if(typeof data.once !== "boolean"){
const err9 = {instancePath:instancePath+"/once",schemaPath:"#/properties/once/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate41.errors = vErrors;
return errors === 0;
}

export const agentHook = validate42;
const schema43 = {"type":"object","properties":{"type":{"type":"string","const":"agent"},"prompt":{"type":"string"},"model":{"type":"string"},"timeout":{"type":"number","exclusiveMinimum":0},"statusMessage":{"type":"string"},"once":{"type":"boolean"}},"required":["type","prompt"],"additionalProperties":{}};

function validate42(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.prompt === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "prompt"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if("agent" !== data0){
const err3 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "agent"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.prompt !== undefined){
if(typeof data.prompt !== "string"){
const err4 = {instancePath:instancePath+"/prompt",schemaPath:"#/properties/prompt/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.model !== undefined){
if(typeof data.model !== "string"){
const err5 = {instancePath:instancePath+"/model",schemaPath:"#/properties/model/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
if(data.timeout !== undefined){
let data3 = data.timeout;
if(typeof data3 == "number"){
if(data3 <= 0 || isNaN(data3)){
const err6 = {instancePath:instancePath+"/timeout",schemaPath:"#/properties/timeout/exclusiveMinimum",keyword:"exclusiveMinimum",params:{comparison: ">", limit: 0}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
}
else {
const err7 = {instancePath:instancePath+"/timeout",schemaPath:"#/properties/timeout/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err7];
}
else {
vErrors.push(err7);
}
errors++;
}
}
if(data.statusMessage !== undefined){
if(typeof data.statusMessage !== "string"){
const err8 = {instancePath:instancePath+"/statusMessage",schemaPath:"#/properties/statusMessage/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err8];
}
else {
vErrors.push(err8);
}
errors++;
}
}
if(data.once !== undefined){
if(typeof data.once !== "boolean"){
const err9 = {instancePath:instancePath+"/once",schemaPath:"#/properties/once/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err9];
}
else {
vErrors.push(err9);
}
errors++;
}
}
}
else {
const err10 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err10];
}
else {
vErrors.push(err10);
}
errors++;
}
validate42.errors = vErrors;
return errors === 0;
}

export const disableAllHooks = validate43;
const schema44 = {"type":"boolean"};

function validate43(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(typeof data !== "boolean"){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate43.errors = vErrors;
return errors === 0;
}

export const allowManagedHooksOnly = validate44;
const schema45 = {"type":"boolean"};

function validate44(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(typeof data !== "boolean"){
const err0 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "boolean"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
validate44.errors = vErrors;
return errors === 0;
}

export const statusLine = validate45;
const schema46 = {"type":"object","properties":{"type":{"type":"string","const":"command"},"command":{"type":"string"},"padding":{"type":"number"}},"required":["type","command"],"additionalProperties":{}};

function validate45(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.command === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "command"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if("command" !== data0){
const err3 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "command"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.command !== undefined){
if(typeof data.command !== "string"){
const err4 = {instancePath:instancePath+"/command",schemaPath:"#/properties/command/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
if(data.padding !== undefined){
if(!(typeof data.padding == "number")){
const err5 = {instancePath:instancePath+"/padding",schemaPath:"#/properties/padding/type",keyword:"type",params:{type: "number"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
}
}
else {
const err6 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err6];
}
else {
vErrors.push(err6);
}
errors++;
}
validate45.errors = vErrors;
return errors === 0;
}

export const fileSuggestion = validate46;
const schema47 = {"type":"object","properties":{"type":{"type":"string","const":"command"},"command":{"type":"string"}},"required":["type","command"],"additionalProperties":{}};

function validate46(data, {instancePath="", parentData, parentDataProperty, rootData=data}={}){
let vErrors = null;
let errors = 0;
if(data && typeof data == "object" && !Array.isArray(data)){
if(data.type === undefined){
const err0 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "type"}};
if(vErrors === null){
vErrors = [err0];
}
else {
vErrors.push(err0);
}
errors++;
}
if(data.command === undefined){
const err1 = {instancePath,schemaPath:"#/required",keyword:"required",params:{missingProperty: "command"}};
if(vErrors === null){
vErrors = [err1];
}
else {
vErrors.push(err1);
}
errors++;
}
if(data.type !== undefined){
let data0 = data.type;
if(typeof data0 !== "string"){
const err2 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err2];
}
else {
vErrors.push(err2);
}
errors++;
}
if("command" !== data0){
const err3 = {instancePath:instancePath+"/type",schemaPath:"#/properties/type/const",keyword:"const",params:{allowedValue: "command"}};
if(vErrors === null){
vErrors = [err3];
}
else {
vErrors.push(err3);
}
errors++;
}
}
if(data.command !== undefined){
if(typeof data.command !== "string"){
const err4 = {instancePath:instancePath+"/command",schemaPath:"#/properties/command/type",keyword:"type",params:{type: "string"}};
if(vErrors === null){
vErrors = [err4];
}
else {
vErrors.push(err4);
}
errors++;
}
}
}
else {
const err5 = {instancePath,schemaPath:"#/type",keyword:"type",params:{type: "object"}};
if(vErrors === null){
vErrors = [err5];
}
else {
vErrors.push(err5);
}
errors++;
}
validate46.errors = vErrors;
return errors === 0;
}

